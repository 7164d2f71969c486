/** Finds the files that configure how tests run and that differ between two commits. */
import { readBlob } from '../workspace/git/read-blobs.ts';
import type { Repository } from '../workspace/git/run-git.ts';
import { type CommandInput, commandInputsIn, isReadInPart } from './runner-and-linter-settings.ts';

/** `changed` lists the paths that differ. */
export async function changedCommandInputs(
  repo: Repository,
  from: string,
  to: string,
  changed: readonly string[],
): Promise<CommandInput[]> {
  const text = async (commit: string, path: string) =>
    isReadInPart(path) ? ((await readBlob(repo, commit, path))?.toString('utf8') ?? null) : null;
  const changes = [];
  for (const path of changed)
    changes.push({ path, before: await text(from, path), after: await text(to, path) });
  return commandInputsIn(changes);
}
