/**
 * Records what runs of a project use without asking the user: set-up, checks, MCP servers, and decisions from earlier
 * runs, each as the user last saw it. Agents can write the configuration, and an answer can become a decision for later
 * runs by mistake, so Dure shows what is new or changed before the next run uses it. The record is in Dure's state
 * folder.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Config } from '../../formats/config/config.ts';
import type { Decision } from '../../formats/crp-and-vcr.ts';
import { statsOf } from '../../formats/file-system/path-status.ts';
import { readValue, replaceJson } from '../../formats/read-and-write-files.ts';
import type { McpServers } from '../../formats/recorded-agent-rules.ts';
import { defineFile } from '../../formats/schema/define-file.ts';
import { shortHash } from '../../formats/text/sha256.ts';
import { stateFolder, stateFolders } from '../../workspace/user-state-folder.ts';
import { visible } from '../text/markdown-quote.ts';

type Commands = Readonly<Record<string, string>>;
type Servers = McpServers['servers'];

const seenFile = defineFile(
  'seen-commands/*.json',
  'Set-up, checks, MCP servers and standing decisions of a project as a person last saw them.',
  z.strictObject({ project: z.string(), commands: z.record(z.string(), z.string()) }),
);

/** Commands and decisions, keyed by the setting or the question that they belong to. */
const commandsOf = (
  { global }: Pick<Config, 'global'>,
  servers: Servers,
  decisions: readonly Decision[],
): Commands => ({
  ...Object.fromEntries(
    decisions.map(({ run_id, crp_id, question, decision, rationale }) => [
      `decisions.${run_id}.${crp_id}`,
      [`${question} ${decision}`, rationale].filter(Boolean).join('. '),
    ]),
  ),
  ...(global.workspace.setup !== null && { 'workspace.setup': global.workspace.setup }),
  ...Object.fromEntries(global.checks.map(({ name, command }) => [`checks.${name}`, command])),
  ...Object.fromEntries(
    Object.entries(servers).map(([name, definition]) => [
      `rules.mcp_servers.${name}`,
      JSON.stringify(definition),
    ]),
  ),
});

/**
 * Lists what is new or changed since the user last saw it, one per line. Empty if the user has seen nothing in this
 * project yet.
 */
export async function unseenCommands(
  root: string,
  config: Pick<Config, 'global'>,
  servers: Servers,
  decisions: readonly Decision[],
): Promise<string> {
  const seen = await readValue(seenFile, await fileOf(root));
  if (!seen) return '';
  return Object.entries(commandsOf(config, servers, decisions))
    .filter(([setting, command]) => seen.commands[setting] !== command)
    .map(([setting, command]) => `  ${setting}: ${visible(command)}`)
    .join('\n');
}

/** Records that the user has seen or written these commands. */
export async function markCommandsSeen(
  root: string,
  config: Pick<Config, 'global'>,
  servers: Servers = {},
  decisions: readonly Decision[] = [],
): Promise<void> {
  const file = await fileOf(root);
  const seen = await readValue(seenFile, file);
  const commands = { ...seen?.commands, ...commandsOf(config, servers, decisions) };
  await replaceJson(file, { project: root, commands }, 0o600);
}

/** Lists the roots of projects in which this user has started a run or changed the configuration. Some may be gone. */
export async function usedProjects(): Promise<string[]> {
  const roots = await Promise.all(
    stateFolders().map(async state => {
      const folder = join(state, FOLDER);
      const names = (await isOwn(folder)) ? await readdir(folder) : [];
      const read = await Promise.all(names.map(name => readValue(seenFile, join(folder, name))));
      return read.flatMap(seen => seen?.project ?? []);
    }),
  );
  return [...new Set(roots.flat())].sort();
}

async function isOwn(folder: string): Promise<boolean> {
  const found = await statsOf(folder);
  if (!found?.isDirectory()) return false;
  return !process.getuid || found.uid === process.getuid();
}

const FOLDER = 'seen-commands';

async function fileOf(root: string): Promise<string> {
  const key = shortHash(root);
  return join(await stateFolder(root), FOLDER, `${key}.json`);
}
