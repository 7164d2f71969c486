/** Reads a question that Dure has recorded: from its file or, if that cannot be read, from the log. */
import { type Crp, crpFile, type Vcr } from '../../../formats/crp-and-vcr.ts';
import type { RunFiles } from '../../../formats/layout.ts';
import { load, readValue } from '../../../formats/read-and-write-files.ts';
import { readLog } from '../record/read-run-record.ts';

/** Null if there is none. Throws `E_FILE_INVALID` if the file of an unrecorded question is invalid. */
export async function readQuestion(files: RunFiles, id: string): Promise<Crp | null> {
  const crp = await readValue(crpFile, files.crp(id));
  if (crp) return crp;
  const { events } = await readLog(files.events);
  const asked = events.findLast(event => event.type === 'crp.created' && event.crp_id === id);
  return (asked?.type === 'crp.created' && asked.crp) || load(crpFile, files.crp(id));
}

/** Returns the answers whose questions can be read, each with its question. */
export async function withQuestions(
  files: RunFiles,
  vcrs: readonly Vcr[],
): Promise<{ crp: Crp; vcr: Vcr }[]> {
  const pairs = await Promise.all(
    vcrs.map(async vcr => ({ vcr, crp: await readQuestion(files, vcr.crp_id) })),
  );
  return pairs.flatMap(({ crp, vcr }) => (crp ? [{ crp, vcr }] : []));
}
