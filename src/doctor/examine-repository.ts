/**
 * Checks whether a repository is ready for a run: base, identity, submodules, filters, .gitignore, settings, and rules
 * for agents.
 */
import { programOutput } from '../process/program-output.ts';
import type { Base } from '../workspace/base-and-snapshot-commits.ts';
import { submodulesIn } from '../workspace/git/list-and-check-out-submodules.ts';
import type { Repository } from '../workspace/git/run-git.ts';
import { hasIdentity } from '../workspace/merge/commit-result.ts';
import { type FilterUse, filterUses } from '../workspace/missing-submodules-and-filters.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

export function examineStart(repo: Repository, { name, branch, commit }: Base): Finding {
  if (repo.shadow) return ok('base', w => w.noRepository());
  return branch === null
    ? warning('base', w => w.noBranch(commit.slice(0, 12)))
    : ok('base', w => w.base(name, commit.slice(0, 12)));
}

/** Checks that git knows the user's identity, because approving a result creates a commit in the user's name. */
export const examineIdentity = async (repo: Repository): Promise<Finding> =>
  (await hasIdentity(repo)) ? ok('identity', w => w.identity()) : warning('identity', w => w.noIdentity());

export async function examineSubmodules(repo: Repository, commit: string): Promise<Finding[]> {
  const all = await submodulesIn(repo, commit);
  if (all.length === 0) return [];
  const paths = (some: typeof all) => some.map(({ path }) => path).join(', ');
  const missing = all.filter(({ repository }) => repository === null);
  return [
    missing.length > 0
      ? warning('submodules', w => w.submodulesMissing(paths(missing)))
      : ok('submodules', w => w.submodules(paths(all))),
  ];
}

/**
 * Checks the programs that git runs to read and write filtered files. If a filter has no settings, checkouts contain
 * what git stores.
 */
export const examineFilters = async (repo: Repository, commit: string): Promise<Finding[]> =>
  Promise.all((await filterUses(repo, commit)).map(use => examineFilter(repo, use)));

async function examineFilter(
  { workTree }: Repository,
  { name, files, command }: FilterUse,
): Promise<Finding> {
  if (command === null) return warning(`filter:${name}`, w => w.noFilter(name, files));
  const [program = ''] = command.split(' ');
  return (await isCommand(program, workTree))
    ? ok(`filter:${name}`, w => w.filter(command, files))
    : problem(`filter:${name}`, w => w.noFilterProgram(name, program, files));
}

/** Whether a shell in the folder can find the program. */
export const isCommand = async (program: string, cwd: string): Promise<boolean> =>
  (await programOutput('sh', ['-c', 'command -v "$1"', 'sh', program], { cwd })) !== null;
