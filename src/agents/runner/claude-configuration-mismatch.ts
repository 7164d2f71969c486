/** Compares the configuration that Claude Code reports with the one it was started with. Pure. */
import type { StreamFailure, StreamState } from '../streams/claude-stream-summary.ts';

/**
 * Compares the configuration that the agent reports with its command line. Returns why the agent must not continue;
 * null if they match.
 */
export function configurationMismatch(acc: StreamState, argv: readonly string[]): StreamFailure | null {
  if (acc.mode === null) return null;
  const server = acc.servers['dure'];
  if (server !== undefined && server !== 'connected' && server !== 'pending')
    return { kind: 'crash', message: `the MCP server dure is not running: ${server}` };
  const option = argv.indexOf('--permission-mode');
  const chosen = option < 0 ? acc.mode : argv[option + 1];
  const asked = argv.includes('--dangerously-skip-permissions') ? 'bypassPermissions' : chosen;
  if (acc.mode === asked) return null;
  const message = `claude is running in permission mode ${acc.mode} instead of ${asked}`;
  return { kind: 'permission', message };
}
