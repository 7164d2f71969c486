/** Reads the definitions of the configured MCP servers from a commit's `.mcp.json`. */
import { posix } from 'node:path';
import { z } from 'zod';
import { dureError } from '../../errors.ts';
import { type McpServers, mcpServers } from '../../formats/recorded-agent-rules.ts';
import { problemsOf } from '../../formats/schema/define-file.ts';
import { parseJson } from '../../formats/schema/strict-json.ts';
import type { Repository } from '../git/run-git.ts';
import { readTreeFiles, type TreeFile } from '../git/tree-files.ts';

const shape = z.looseObject({ mcpServers: mcpServers.shape.servers });

/** Throws `E_NOT_COMMITTED` for a server not defined in the commit, and `E_FILE_INVALID` if `.mcp.json` is invalid. */
export async function findServers(
  repo: Repository,
  tree: ReadonlyMap<string, TreeFile>,
  names: readonly string[],
): Promise<McpServers> {
  const file = posix.join(repo.prefix, '.mcp.json');
  const found = tree.get(file);
  const bytes = found && !found.isLink && (await readTreeFiles(repo, [found.blob])).get(found.blob);
  const all = bytes ? parse(file, bytes.toString()) : {};
  const servers = names.map(name => {
    if (!Object.hasOwn(all, name))
      throw dureError('E_NOT_COMMITTED', { setting: 'rules.mcp_servers', name, file });
    return [name, all[name]!];
  });
  return { path: file, blob: found!.blob, servers: Object.fromEntries(servers) };
}

function parse(file: string, text: string): McpServers['servers'] {
  const invalid = (problems: string) => dureError('E_FILE_INVALID', { file, problems });
  try {
    const parsed = shape.safeParse(parseJson(text));
    if (!parsed.success) throw invalid(problemsOf(parsed.error));
    return parsed.data.mcpServers;
  } catch (error) {
    throw error instanceof SyntaxError ? invalid(error.message) : error;
  }
}
