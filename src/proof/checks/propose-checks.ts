/**
 * Proposes the project's own checks from its files: tests, lint, type check. The configuration decides which of them
 * run. A `test` script that also lints and builds is split into separate checks, so that tests are counted one by one
 * and a failing linter does not prevent them from running. Every command of the script is kept.
 */
import { join } from 'node:path';
import { readUnignored } from '../../workspace/dependencies/folder-reader.ts';
import { parentFolders } from '../../workspace/dependencies/propose-set-up.ts';
import type { CheckProposal } from './check-proposal-type.ts';
import { goProposals, makeProposals, rustProposals } from './go-rust-make-checks.ts';
import { scriptProposals } from './package-script-checks.ts';
import { pythonProposals } from './python-checks.ts';

/** `directory` is the folder in which checks run, relative to the project. A file that git ignores counts as absent. */
export async function proposeChecks(root: string, directory: string): Promise<CheckProposal[]> {
  const folders = await Promise.all(parentFolders(directory).map(path => readUnignored(join(root, path))));
  const own = folders[0]!;
  const found = [
    ...(await scriptProposals(own, folders)),
    ...(await pythonProposals(own)),
    ...(await goProposals(own)),
    ...(await rustProposals(own)),
  ];
  // A Makefile often only calls commands that are proposed already.
  const more = found.length > 0 ? [] : await makeProposals(own);
  return orderedAndNamed([...found, ...more]);
}

const BY_PURPOSE = ['test', 'lint', 'types', 'check'];

/** Puts tests first, removes duplicate commands and numbers duplicate names. */
function orderedAndNamed(proposals: readonly CheckProposal[]): CheckProposal[] {
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
