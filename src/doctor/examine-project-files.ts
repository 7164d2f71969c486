/** Examines the settings of the project, the ignore lines of other tools, and the rules for agents. */

import type { Config } from '../formats/config/config.ts';
import type { ProjectFiles } from '../formats/layout.ts';
import type { Rules } from '../formats/recorded-agent-rules.ts';
import type { Repository } from '../workspace/git/run-git.ts';
import { readRawConfig } from '../workspace/project/read-raw-config.ts';
import { findRules } from '../workspace/rules/find-rules.ts';
import { isCommand } from './examine-repository.ts';
import { type Finding, ok, warning } from './finding.ts';
import { proposals } from './setting-proposals.ts';
import { findIgnoreLines } from './tool-ignore-lines/find-ignore-lines.ts';

export async function examineIgnoreLines(root: string): Promise<Finding[]> {
  const found = await findIgnoreLines(root);
  const needed = found.filter(advice => advice.is === 'needed');
  if (needed.length === 0) return [ok('ignore-lines', w => w.ignored())];
  return needed.map(advice => warning(`ignore-line:${advice.tool}`, w => w.notIgnored(advice)));
}

/** Warns about settings that `dure init` would propose and that the user has not set. */
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
  return [...quotedFindings(rules), ...(await serverFindings(repo, rules))];
}

function quotedFindings(rules: Rules): Finding[] {
  if (rules.files.length + rules.left_out.length === 0) return [];
  const left = rules.left_out.map(({ path }) => path);
  const cut = rules.files.filter(({ quoted }) => quoted !== undefined).map(({ path }) => path);
  return left.length + cut.length === 0
    ? [ok('rules', w => w.rules(rules.files.length))]
    : [warning('rules', w => w.rulesLeftOut([...left, ...cut].join(', ')))];
}

/** Checks that the programs of MCP servers exist. If a server cannot be started, agents work without it. */
const serverFindings = ({ workTree }: Repository, { mcp }: Rules): Promise<Finding[]> =>
  Promise.all(
    Object.entries(mcp?.servers ?? {}).map(async ([name, { command, url }]) =>
      typeof command !== 'string' || (await isCommand(command, workTree))
        ? ok(`mcp-server:${name}`, w => w.mcpServer(String(command ?? url)))
        : warning(`mcp-server:${name}`, w => w.noMcpProgram(command)),
    ),
  );
