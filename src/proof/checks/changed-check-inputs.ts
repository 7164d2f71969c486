/** Finds the files that checks read and that differ between base and the result. */
import { join } from 'node:path';
import { combineTrees } from '../../workspace/git/combine-trees.ts';
import { readBlob } from '../../workspace/git/read-blobs.ts';
import { git, type Repository, zSplit } from '../../workspace/git/run-git.ts';
import { chained } from './command-programs.ts';
import {
  type ChangedPath,
  inputsIn,
  isManifest,
  mayHoldTests,
  withSettingsOfBase,
} from './select-check-inputs.ts';

export interface ChangedInputs {
  readonly paths: readonly string[];
  /** Whether tests may have been changed or removed, in `paths` or in other files. */
  readonly changed: boolean;
  /** Commit of the result with `paths` restored from base; null when `paths` is empty. */
  readonly restored: string | null;
}

const HOW = { A: 'added', D: 'removed' } as const;

/** `directory` is the folder in which the checks run, relative to the root of the repository. */
export async function changedInputs(
  repo: Repository,
  base: string,
  result: string,
  commands: readonly string[],
  directory: string,
): Promise<ChangedInputs> {
  const changes = await changesBetween(repo, base, result);
  const text = async (commit: string, path: string) => (await readBlob(repo, commit, path))?.toString() ?? '';
  const named = new Set(commands.flatMap(command => filesNamed(command, directory)));
  const inputs = inputsIn(changes, named).map(change => change.path);
  const texts = new Map<string, string>();
  for (const { path, how } of changes)
    if (how === 'changed' && isManifest(path)) {
      const merged = withSettingsOfBase(path, await text(base, path), await text(result, path));
      if (merged !== null) texts.set(path, merged);
    }
  const paths = [...inputs, ...texts.keys()];
  let changed = paths.length > 0;
  for (const change of changes)
    changed ||= mayHoldTests(change, change.path.endsWith('.rs') ? await text(base, change.path) : '');
  const restored =
    paths.length > 0 ? await combineTrees(repo, { of: result, from: base, paths: inputs, texts }) : null;
  return { paths: paths.sort(), changed, restored };
}

async function changesBetween(repo: Repository, from: string, to: string): Promise<ChangedPath[]> {
  const listed = zSplit(
    await git(repo, ['diff-tree', '-r', '-z', '--no-renames', '--no-ext-diff', '--name-status', from, to]),
  );
  const changes: ChangedPath[] = [];
  for (let n = 0; n + 1 < listed.length; n += 2)
    changes.push({ path: listed[n + 1]!, how: HOW[listed[n] as keyof typeof HOW] ?? 'changed' });
  return changes;
}

/** Returns the words of a command as paths in the repository, because some of them may name files. */
const filesNamed = (command: string, directory: string): string[] =>
  (chained(command) ?? []).flatMap(({ words }) => words).map(word => join(directory, word));
