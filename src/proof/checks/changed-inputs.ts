/** What of the files that checks read differs between base and the result, as git has them. */
import { combine } from '../../workspace/combined.ts';
import { readBlob } from '../../workspace/diff.ts';
import { git, type Repository, zSplit } from '../../workspace/git.ts';
import { type Change, inputsIn, isManifest, mayHoldTests, withSettingsOfBase } from './inputs.ts';
import { chained } from './scripts.ts';

export interface ChangedInputs {
  readonly paths: readonly string[];
  /** Tests may be gone, in `paths` or elsewhere. */
  readonly changed: boolean;
  /** The result with all of `paths` as they are on base; null when there are none. */
  readonly restored: string | null;
}

const HOW = { A: 'added', D: 'removed' } as const;

/** `prefix` is where the checks run, below the top of the repository. */
export async function changedInputs(
  repo: Repository,
  base: string,
  result: string,
  commands: readonly string[],
  prefix: string,
): Promise<ChangedInputs> {
  const changes = await changesBetween(repo, base, result);
  const text = async (commit: string, path: string) => (await readBlob(repo, commit, path))?.toString() ?? '';
  const named = new Set(commands.flatMap(command => filesNamed(command, prefix)));
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
    paths.length > 0 ? await combine(repo, { of: result, from: base, paths: inputs, texts }) : null;
  return { paths: paths.sort(), changed, restored };
}

async function changesBetween(repo: Repository, from: string, to: string): Promise<Change[]> {
  const listed = zSplit(
    await git(repo, ['diff-tree', '-r', '-z', '--no-renames', '--no-ext-diff', '--name-status', from, to]),
  );
  const changes: Change[] = [];
  for (let n = 0; n + 1 < listed.length; n += 2)
    changes.push({ path: listed[n + 1]!, how: HOW[listed[n] as keyof typeof HOW] ?? 'changed' });
  return changes;
}

/** Words of a command that could be files of the repository. */
const filesNamed = (command: string, prefix: string): string[] =>
  (chained(command) ?? []).flatMap(({ words }) => words).map(word => `${prefix}${word.replace(/^\.\//, '')}`);
