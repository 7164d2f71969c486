/** Finds a cassette by name: `default` and `demo` are embedded; any other name is the path of a file. */
import { dureError } from '../../errors.ts';
import { type Cassette, cassetteFile } from '../../formats/cassette.ts';
import { load } from '../../formats/read-and-write-files.ts';
import { defaultCassette } from './cassettes/default.ts';
import { demoCassette } from './cassettes/demo.ts';

export async function findCassette(name: string): Promise<Cassette> {
  if (name === 'default') return defaultCassette;
  if (name === 'demo') return demoCassette;
  const cassette = await load(cassetteFile, name);
  if (!cassette) throw dureError('E_FILE_MISSING', { file: name });
  return cassette;
}
