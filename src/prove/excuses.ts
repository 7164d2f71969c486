/** Finds reasons why tests may fail here although the result is right, and tests that are not only the Verifier's. */
import { testTitle } from '../core/policy/judge-criteria.ts';
import type { TestCases } from '../formats/test-cases.ts';
import { changedFiles, readBlob } from '../workspace/diff.ts';
import { git, type Repository, zSplit } from '../workspace/git.ts';
import { submodulesIn } from '../workspace/submodules.ts';
import type { OpenPack } from './read-pack.ts';

export interface TestEnvironment {
  readonly node: string;
  readonly os: string;
  readonly arch: string;
}

export const environmentHere = (): TestEnvironment => ({
  node: process.versions.node,
  os: process.platform,
  arch: process.arch,
});

/** Names of the properties that differ and matter to tests. */
export function differencesOf(claimed: TestEnvironment, here: TestEnvironment): string[] {
  const major = ({ node }: TestEnvironment) => node.split('.')[0];
  return [
    ...(major(claimed) === major(here) ? [] : ['node']),
    ...(claimed.os === here.os ? [] : ['os']),
    ...(claimed.arch === here.arch ? [] : ['arch']),
  ];
}

const LFS = /^version https:\/\/git-lfs\.github\.com\/spec\//;

/** Files that a checkout of the result needs and that neither the pack nor the clone contains. */
export async function missingFiles(repo: Repository, { evidence, proof }: OpenPack): Promise<string[]> {
  const { base, commit } = evidence;
  const submodules = (await submodulesIn(repo, commit)).filter(each => each.repository === null);
  const pointers: string[] = [];
  for (const path of await changedFiles(repo, base, commit)) {
    const blob = await readBlob(repo, commit, path);
    if (blob && blob.length < 1024 && LFS.test(blob.toString())) pointers.push(path);
  }
  return [...proof.copy, ...submodules.map(({ path }) => path), ...pointers];
}

/** System errors of a test that needs something the sandbox does not have. */
const NETWORK = /\b(?:ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH)\b/;
const OUTSIDE = /\b(?:ENOENT|EACCES|EROFS|EPERM)\b.*['"]\/|No such file or directory: '\//;

/** What these tests need from outside the pack, judging by how they fail on the result; null if nothing. */
export function askedFor(ids: readonly string[], head: readonly TestCases[]): string | null {
  const failed = head.flatMap(({ cases }) =>
    cases.filter(({ id, fate, red }) => ids.includes(id) && fate === 'fail' && red !== 'assert'),
  );
  return outsideIn(
    'its test',
    failed.map(({ line }) => line ?? ''),
  );
}

/** What `who` needs from outside the pack, according to these lines of its output; null if nothing. */
export function outsideIn(who: string, lines: readonly string[]): string | null {
  const network = lines.find(line => NETWORK.test(line));
  if (network !== undefined) return `${who} needs the network: ${network}`;
  const outside = lines.find(line => OUTSIDE.test(line));
  return outside === undefined ? null : `${who} needs a file outside the pack: ${outside}`;
}

/** Test files of the pack with the same content as a file of the base or of the result. */
export async function sharedTests(repo: Repository, { evidence, commit }: OpenPack): Promise<Set<string>> {
  const blobs = async (treeish: string) =>
    zSplit(await git(repo, ['ls-tree', '-r', '-l', '-z', '--full-tree', treeish])).map(entry => {
      const [about = '', path = ''] = entry.split('\t');
      const [, , id = '', size] = about.split(/ +/);
      return { path, id, isEmpty: size === '0' };
    });
  const [base, head, tests] = await Promise.all(
    [evidence.base, evidence.commit, `${commit}:verifier`].map(blobs),
  );
  const known = new Set([...base!, ...head!].map(({ id }) => id));
  return new Set(
    tests!
      .filter(({ path, id, isEmpty }) => path.startsWith('tests/') && !isEmpty && known.has(id))
      .map(({ path }) => path.slice('tests/'.length)),
  );
}

/**
 * A file of these tests that is not only the Verifier's; null if there is none. `all`: the paths of all test
 * files.
 */
export function notOwn(
  ids: readonly string[],
  shared: ReadonlySet<string>,
  all: readonly string[],
): string | null {
  const files = [...shared];
  // Without a file in its id, a test may be in any of them.
  const isOnly = all.length > 0 && all.every(path => shared.has(path));
  for (const id of ids) {
    const isAnywhere = isOnly && testTitle(id) === id;
    const found = files.find(path => id.startsWith(`${path}::`)) ?? (isAnywhere ? files[0] : undefined);
    if (found !== undefined) return found;
  }
  return null;
}
