/**
 * Finds the rules for agents in a commit: AGENTS.md, CLAUDE.md with its imports, .claude/rules, and the
 * files, skills and MCP servers that the configuration lists. General rules come first, so that more specific
 * ones override them. Rules for the folder in which tests run come before those for other folders; if the rules exceed
 * the size limit, those for other folders are left out first.
 */
import { posix } from 'node:path';
import { dureError } from '../../errors.ts';
import { isRulePath, mayImport, scopeOf, skillFile } from '../../formats/agent-rule-paths.ts';
import type { Config } from '../../formats/config/config.ts';
import type { RuleFile, Rules } from '../../formats/recorded-agent-rules.ts';
import type { Repository } from '../git/run-git.ts';
import { treeFiles } from '../git/tree-files.ts';
import { findServers } from './read-mcp-servers.ts';
import { type RuleTexts, readRuleFiles } from './read-rule-files.ts';

const MAX_IMPORT_DEPTH = 5;

/** Returns null when there are none. Throws `E_NOT_COMMITTED` for a skill or MCP server that the commit lacks. */
export async function findRules(
  repo: Repository,
  commit: string,
  { rules, workspace }: Pick<Config['global'], 'rules' | 'workspace'>,
): Promise<Rules | null> {
  if (!rules.read && [rules.add, rules.skills, rules.mcp_servers].every(list => list.length === 0))
    return null;
  const tree = await treeFiles(repo, commit);
  const here = posix.join(repo.prefix, workspace.directory);
  const found = rules.read ? [...tree.keys()].filter(isRulePath).sort(generalFirst(here)) : [];
  const added = rules.add.map(path => posix.join(repo.prefix, path));
  const skills = rules.skills.map(name => {
    const file = posix.join(repo.prefix, skillFile(name));
    if (!tree.has(file)) throw dureError('E_NOT_COMMITTED', { setting: 'rules.skills', name, file });
    return file;
  });
  const mcp = rules.mcp_servers.length > 0 ? await findServers(repo, tree, rules.mcp_servers) : null;
  const wanted = [...found, ...added, ...skills].map(path => ({
    path,
    importDepth: mayImport(path) ? MAX_IMPORT_DEPTH : 0,
  }));
  if (wanted.length === 0 && !mcp) return null;
  return { ...limited(await readRuleFiles(repo, tree, wanted)), ...(mcp && { mcp }) };
}

/** Sorts by folder: `here` and its parent folders first, and each folder before those below it. */
function generalFirst(here: string): (a: string, b: string) => number {
  const isAround = (scope: string) => scope === '' || `${here}/`.startsWith(`${scope}/`);
  const key = (path: string) => {
    const scope = scopeOf(path);
    const depth = scope === '' ? 0 : scope.split('/').length;
    return `${isAround(scope) ? 0 : 1} ${String(depth).padStart(4, '0')} ${scope}\0${path}`;
  };
  return (a, b) => (key(a) < key(b) ? -1 : 1);
}

/** Maximum number of characters that prompts quote, from one file and in total. */
const MAX_CHARS_PER_FILE = 40_000;
const MAX_CHARS = 60_000;

/** Quotes identical files once, within the prompt size limit. */
function limited({ texts, left_out }: RuleTexts): Rules {
  const files: RuleFile[] = [];
  const left = [...left_out];
  let remaining = MAX_CHARS;
  for (const { text, ...file } of texts) {
    if (text === '' || files.some(({ blob }) => blob === file.blob)) continue;
    const quoted = Math.min(text.length, MAX_CHARS_PER_FILE, remaining);
    remaining -= quoted;
    if (quoted === 0) left.push({ path: file.path, why: 'too-long' });
    else files.push({ ...file, ...(quoted < text.length && { quoted }) });
  }
  return { files, left_out: left };
}
