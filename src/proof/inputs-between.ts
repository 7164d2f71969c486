/** Which changed files say how tests are run, between two commits as git has them. */
import { readBlob } from '../workspace/diff.ts';
import type { Repository } from '../workspace/git.ts';
import { type CommandInput, changedInputs, isReadInPart } from './command-inputs.ts';

/** `changed` are the paths that differ. */
export async function inputsBetween(
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
  return changedInputs(changes);
}
