/**
 * The commands of a project that Dure runs by itself, as the user last saw them: set-up, checks and MCP servers. Agents
 * can write the configuration, so a command that changed is shown before the next run uses it. The record is in Dure's
 * state folder.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import type { Config } from '../../formats/config.ts';
import { defineFile } from '../../formats/define-file.ts';
import { load, replaceJson } from '../../formats/file.ts';
import type { McpServers } from '../../formats/rules.ts';
import { stateFolder } from '../../workspace/state-folder.ts';
import { visible } from '../policy/markdown-quote.ts';

type Commands = Readonly<Record<string, string>>;
type Servers = McpServers['servers'];

const seenFile = defineFile(
  'seen-commands/*.json',
  'Set-up, checks and MCP servers of a project as a person last saw them.',
  z.strictObject({ project: z.string(), commands: z.record(z.string(), z.string()) }),
);

/** By the setting that contains them. */
const commandsOf = ({ global }: Pick<Config, 'global'>, servers: Servers): Commands => ({
  ...(global.workspace.setup !== null && { 'workspace.setup': global.workspace.setup }),
  ...Object.fromEntries(global.checks.map(({ name, command }) => [`checks.${name}`, command])),
  ...Object.fromEntries(
    Object.entries(servers).map(([name, definition]) => [
      `rules.mcp_servers.${name}`,
      JSON.stringify(definition),
    ]),
  ),
});

/** Commands that are not as they were last seen, one per line. Empty if nobody has seen any of this project yet. */
export async function unseenCommands(
  root: string,
  config: Pick<Config, 'global'>,
  servers: Servers,
): Promise<string> {
  const seen = await load(seenFile, await fileOf(root)).catch(() => null);
  if (!seen) return '';
  return Object.entries(commandsOf(config, servers))
    .filter(([setting, command]) => seen.commands[setting] !== command)
    .map(([setting, command]) => `  ${setting}: ${visible(command)}`)
    .join('\n');
}

/** To be called when the user has seen the commands, or has written them. */
export async function markCommandsSeen(
  root: string,
  config: Pick<Config, 'global'>,
  servers: Servers = {},
): Promise<void> {
  const file = await fileOf(root);
  const seen = await load(seenFile, file).catch(() => null);
  const commands = { ...seen?.commands, ...commandsOf(config, servers) };
  await replaceJson(file, { project: root, commands }, 0o600);
}

async function fileOf(root: string): Promise<string> {
  const key = createHash('sha256').update(root).digest('hex').slice(0, 16);
  return join(await stateFolder(root), 'seen-commands', `${key}.json`);
}
