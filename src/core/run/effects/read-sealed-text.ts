/** Reads agents' texts as they were sealed: a process that outlives its step can still change the files. */
import { join, relative } from 'node:path';
import { unlessDiskFails } from '../../../formats/file-system/temporary-disk-errors.ts';
import { readText, SIZE_LIMIT } from '../../../formats/read-untrusted-files.ts';
import type { RunState } from '../../../formats/state.ts';
import { readBlob } from '../../../workspace/git/read-blobs.ts';
import type { RunContext } from '../run-context.ts';

/**
 * `path` is relative to the run folder. Null if the text is missing or unreadable. A file that no step has sealed, such
 * as the Builder's log or a briefing that was not refined, is read as it is.
 */
export async function readSealedText(
  { files, repo }: RunContext,
  { setup, sealed }: RunState,
  path: string,
): Promise<string | null> {
  const owner = setup.pipeline.findLast(
    step => step.yields !== 'tree' && path.startsWith(`${step.folder}/`) && sealed[step.name],
  );
  if (owner === undefined) return readText(join(files.dir, path)).catch(unlessDiskFails(null));
  const blob = await readBlob(repo, sealed[owner.name]!.commit, relative(owner.folder, path), SIZE_LIMIT);
  return blob?.toString() ?? null;
}
