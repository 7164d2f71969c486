/** Finds reasons why tests may fail on this machine although the result is correct. */
import type { TestEnvironment } from '../../formats/pack-proof-conditions.ts';
import type { TestCases } from '../../formats/test-cases.ts';
import { changedFiles } from '../../workspace/git/diff-trees.ts';
import { submodulesIn } from '../../workspace/git/list-and-check-out-submodules.ts';
import { readBlob } from '../../workspace/git/read-blobs.ts';
import type { Repository } from '../../workspace/git/run-git.ts';
import type { OpenPack } from './read-and-verify-pack.ts';

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
export async function filesMissingHere(repo: Repository, { evidence, proof }: OpenPack): Promise<string[]> {
  const { base, commit } = evidence;
  const submodules = (await submodulesIn(repo, commit)).filter(each => each.repository === null);
  const pointers: string[] = [];
  for (const path of await changedFiles(repo, base, commit)) {
    const blob = await readBlob(repo, commit, path);
    if (blob && blob.length < 1024 && LFS.test(blob.toString())) pointers.push(path);
  }
  return [...proof.copy, ...submodules.map(({ path }) => path), ...pointers];
}

/** Matches system errors that occur if a test needs something the sandbox does not have. */
const NETWORK = /\b(?:ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH)\b/;
const OUTSIDE = /\b(?:ENOENT|EACCES|EROFS|EPERM)\b.*['"]\/|No such file or directory: '\//;

/** What these tests need from outside the pack, judging by how they fail on the result; null if nothing. */
export function externalNeedOf(ids: readonly string[], head: readonly TestCases[]): string | null {
  const failed = head.flatMap(({ cases }) =>
    cases.filter(
      ({ id, outcome, failure }) => ids.includes(id) && outcome === 'fail' && failure !== 'assert',
    ),
  );
  return externalNeedIn(
    'its test',
    failed.map(({ line }) => line ?? ''),
  );
}

/** Describes what `who` needs from outside the pack, according to these lines of its output; null if nothing. */
export function externalNeedIn(who: string, lines: readonly string[]): string | null {
  const network = lines.find(line => NETWORK.test(line));
  if (network !== undefined) return `${who} needs the network: ${network}`;
  const outside = lines.find(line => OUTSIDE.test(line));
  return outside === undefined ? null : `${who} needs a file outside the pack: ${outside}`;
}
