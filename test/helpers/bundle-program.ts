/** A program for a separate process, from TypeScript code that imports from `./src/`. */
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const ROOT = new URL('../../', import.meta.url).pathname;

/** Returns the path of the program, in `dir`. */
export async function programOf(dir: string, code: string): Promise<string> {
  const input = '\0program.ts';
  const bundling = await rolldown({
    input,
    platform: 'node',
    plugins: [
      {
        name: 'program',
        resolveId: (id: string) => (id === input ? id : id.startsWith('./src/') ? join(ROOT, id) : null),
        load: (id: string) => (id === input ? { code, moduleType: 'ts' } : null),
      },
    ],
  });
  const file = join(dir, 'program.mjs');
  await bundling.write({ file, format: 'esm', codeSplitting: false });
  await bundling.close();
  return file;
}
