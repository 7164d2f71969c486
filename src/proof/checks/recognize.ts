/**
 * Proposes the project's own checks from its files: tests, lint, type check. The configuration decides which of them run.
 * A `test` script that also lints and builds is split into separate checks, so that tests are counted one by one and a
 * failing linter does not prevent them from running. Every command of the script is kept.
 */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { readText } from '../../formats/file.ts';
import { goProposals, makeProposals, rustProposals } from './go-rust-make.ts';
import { scriptProposals } from './package-scripts.ts';
import { pythonProposals } from './python-tools.ts';

export interface CheckProposal {
  readonly name: string;
  readonly command: string;
  /** The evidence in the project that suggests this check. */
  readonly because: string;
}

/** Read access to a folder between the project root and the folder in which checks run. */
export interface ProjectFolder {
  readonly path: string;
  /** Returns the text of a file; null if it does not exist. */
  read(name: string): Promise<string | null>;
  has(name: string): Promise<boolean>;
}

const BY_PURPOSE = ['test', 'lint', 'types', 'check'];

/** `directory` is the folder in which checks run, relative to the project. */
export async function proposeChecks(root: string, directory: string): Promise<CheckProposal[]> {
  const folders = [...ancestors(directory)].map(path => folderAt(join(root, path)));
  const own = folders[0]!;
  const found = [
    ...(await scriptProposals(own, folders)),
    ...(await pythonProposals(own)),
    ...(await goProposals(own)),
    ...(await rustProposals(own)),
  ];
  // A Makefile often only calls commands that are proposed already.
  const more = found.length > 0 ? [] : await makeProposals(own);
  return named([...found, ...more]);
}

/** `packages/a`, `packages`, `.` */
function* ancestors(directory: string): Generator<string> {
  const parts = directory.split('/').filter(part => part !== '' && part !== '.');
  for (let n = parts.length; n >= 0; n -= 1) yield parts.slice(0, n).join('/') || '.';
}

const folderAt = (path: string): ProjectFolder => ({
  path,
  read: name => readText(join(path, name)).catch(() => null),
  has: name =>
    lstat(join(path, name)).then(
      () => true,
      () => false,
    ),
});

/** Tests first, without duplicate commands; duplicate names are numbered. */
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
