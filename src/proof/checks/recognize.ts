/**
 * The project's own checks, as its files name them: tests, lint, type check. Proposals only; the configuration decides.
 * A `test` script that lints and builds before it tests is taken apart, so that tests are counted one by one and a
 * linter that fails does not keep them from running; nothing of it is lost.
 */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { readText } from '../../formats/file.ts';
import { goProposals, makeProposals, rustProposals } from './build-tools.ts';
import { scriptProposals } from './package-scripts.ts';
import { pythonProposals } from './python-tools.ts';

export interface CheckProposal {
  readonly name: string;
  readonly command: string;
  /** What in the project says so. */
  readonly because: string;
}

/** One folder, from the root of the project to where the checks run, as those who recognise look at it. */
export interface Folder {
  /** Text of a file; null when there is none. */
  read(name: string): Promise<string | null>;
  has(name: string): Promise<boolean>;
}

const BY_PURPOSE = ['test', 'lint', 'types', 'check'];

/** `directory` is the folder that checks run in, relative to the project. */
export async function proposeChecks(root: string, directory: string): Promise<CheckProposal[]> {
  const folders = [...ancestors(directory)].map(path => folderAt(join(root, path)));
  const own = folders[0]!;
  const found = [
    ...(await scriptProposals(own, folders)),
    ...(await pythonProposals(own)),
    ...(await goProposals(own)),
    ...(await rustProposals(own)),
  ];
  // A Makefile often only calls what was recognised already.
  const more = found.length > 0 ? [] : await makeProposals(own);
  return named([...found, ...more]);
}

/** `packages/a`, `packages`, `.` */
function* ancestors(directory: string): Generator<string> {
  const parts = directory.split('/').filter(part => part !== '' && part !== '.');
  for (let n = parts.length; n >= 0; n -= 1) yield parts.slice(0, n).join('/') || '.';
}

const folderAt = (path: string): Folder => ({
  read: name => readText(join(path, name)).catch(() => null),
  has: name =>
    lstat(join(path, name)).then(
      () => true,
      () => false,
    ),
});

/** Tests first; each command once, each name once. */
function named(proposals: readonly CheckProposal[]): CheckProposal[] {
  const order = ({ name }: CheckProposal) =>
    (BY_PURPOSE.indexOf(name) + BY_PURPOSE.length) % BY_PURPOSE.length;
  const taken = new Map<string, number>();
  const commands = new Set<string>();
  return proposals
    .toSorted((a, b) => order(a) - order(b))
    .flatMap(proposal => {
      if (commands.has(proposal.command)) return [];
      commands.add(proposal.command);
      const n = (taken.get(proposal.name) ?? 0) + 1;
      taken.set(proposal.name, n);
      return [n === 1 ? proposal : { ...proposal, name: `${proposal.name}-${n}` }];
    });
}
