/**
 * Checks whether a repository is ready for a run: base, identity, submodules, filters, .gitignore, settings, and rules
 * for agents.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Rules } from '../formats/agent-rules.ts';
import type { Config } from '../formats/config/config.ts';
import type { ProjectFiles } from '../formats/layout.ts';
import type { Base } from '../workspace/base-commit.ts';
import type { Repository } from '../workspace/git/run-git.ts';
import { submodulesIn } from '../workspace/git/submodules.ts';
import { hasIdentity } from '../workspace/merge/commit-result.ts';
import { readRawConfig } from '../workspace/project/raw-config.ts';
import { findRules } from '../workspace/rules/find-rules.ts';
import { type FilterUse, filterUses } from '../workspace/seal/files-missing-from-checkouts.ts';
import { type Finding, ok, problem, warning } from './finding.ts';
import { proposals } from './setting-proposals.ts';
import { findIgnoreLines } from './tool-ignore-lines/find-ignore-lines.ts';

export function examineStart(repo: Repository, { name, branch, commit }: Base): Finding {
  if (repo.shadow) return ok('base', w => w.noRepository());
  return branch === null
    ? warning('base', w => w.noBranch(commit.slice(0, 12)))
    : ok('base', w => w.base(name, commit.slice(0, 12)));
}

/** Approving a result creates a commit as the user. */
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
 * Git runs a program to read and write filtered files. If a filter has no settings, checkouts contain what git stores.
 */
export const examineFilters = async (repo: Repository, commit: string): Promise<Finding[]> =>
  Promise.all((await filterUses(repo, commit)).map(examineFilter));

async function examineFilter({ name, files, command }: FilterUse): Promise<Finding> {
  if (command === null) return warning(`filter:${name}`, w => w.noFilter(name, files));
  const [program = ''] = command.split(' ');
  return (await isCommand(program))
    ? ok(`filter:${name}`, w => w.filter(command, files))
    : problem(`filter:${name}`, w => w.noFilterProgram(name, program, files));
}

/** Whether a shell can find the program. */
const isCommand = (program: string): Promise<boolean> =>
  promisify(execFile)('sh', ['-c', 'command -v "$1"', 'sh', program]).then(
    () => true,
    () => false,
  );

export async function examineIgnoreLines(root: string): Promise<Finding[]> {
  const found = await findIgnoreLines(root);
  const needed = found.filter(advice => advice.is === 'needed');
  if (needed.length === 0) return [ok('ignore-lines', w => w.ignored())];
  return needed.map(advice => warning(`ignore-line:${advice.tool}`, w => w.notIgnored(advice)));
}

/** Settings that `dure init` would propose and that the user has not set. */
export async function examineSettings(project: ProjectFiles): Promise<Finding[]> {
  const offered = await proposals(project.root, await readRawConfig(project, 'global'));
  return offered.map(({ setting, shown, because }) =>
    warning(`setting:${setting}`, w => w.notSet(setting, shown, because)),
  );
}

export async function examineRules(
  repo: Repository,
  commit: string,
  global: Config['global'],
): Promise<Finding[]> {
  const rules = await findRules(repo, commit, global);
  if (!rules) return [];
  return [...quotedFindings(rules), ...(await serverFindings(rules))];
}

function quotedFindings(rules: Rules): Finding[] {
  if (rules.files.length + rules.left_out.length === 0) return [];
  const left = rules.left_out.map(({ path }) => path);
  const cut = rules.files.filter(({ quoted }) => quoted !== undefined).map(({ path }) => path);
  return left.length + cut.length === 0
    ? [ok('rules', w => w.rules(rules.files.length))]
    : [warning('rules', w => w.rulesLeftOut([...left, ...cut].join(', ')))];
}

/** If a server does not start, the agent works without it. */
const serverFindings = ({ mcp }: Rules): Promise<Finding[]> =>
  Promise.all(
    Object.entries(mcp?.servers ?? {}).map(async ([name, { command, url }]) =>
      typeof command !== 'string' || (await isCommand(command))
        ? ok(`mcp-server:${name}`, w => w.mcpServer(String(command ?? url)))
        : warning(`mcp-server:${name}`, w => w.noMcpProgram(command)),
    ),
  );
