/**
 * Checks Claude Code at no cost: its version, its login status, and its API, through free requests that only count
 * tokens. The CLI sends these when asked how full its context is, and reports their failures only in its debug log.
 */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { objectAt } from '../../formats/schema/json-access.ts';
import type { ProbeRequest, ProbeResult } from '../../index.ts';
import { API_ONLY, isLoggedIn, loginOf } from './claude-login.ts';

const INSTALL = 'npm install -g @anthropic-ai/claude-code';
const LOG_IN = 'claude auth login';
const LIMIT_MS = 60_000;

export async function probeClaude(request: ProbeRequest): Promise<ProbeResult> {
  const { stdout, error } = await run(request, ['--version']);
  if (error?.code === 'ENOENT') return { fault: 'missing', seen: 'claude', fix: INSTALL };
  const seen = stdout.trim().split('\n')[0] ?? '';
  if (error) return { fault: 'broken', seen: seen || error.message, fix: INSTALL };
  if (!(await reportsLoggedIn(request))) return { fault: 'login', seen, fix: LOG_IN };
  const refusal = request.online ? await refusalOf(request) : null;
  if (refusal === null) return { seen };
  return /^40[13]\b/.test(refusal)
    ? { fault: 'login', seen: `${seen}: ${refusal}`, fix: LOG_IN }
    : { fault: 'unreachable', seen: `${seen}: ${refusal}` };
}

/** Asks `claude auth status`. Falls back to `isLoggedIn` for versions without this command. */
async function reportsLoggedIn(request: ProbeRequest): Promise<boolean> {
  const { stdout } = await run(request, ['auth', 'status']);
  try {
    const loggedIn = objectAt(JSON.parse(stdout))['loggedIn'];
    if (typeof loggedIn === 'boolean') return loggedIn;
  } catch {
    // The output is not JSON.
  }
  return isLoggedIn(request.env);
}

const ASKED = { type: 'control_request', request_id: 'probe', request: { subtype: 'get_context_usage' } };
const REFUSED = /\[ERROR\] countTokens API call failed: (.*)/;
/** Statuses of an API, such as a gateway, that does not count tokens but may still answer messages. */
const NO_COUNTING = /^(?:400|404|405|501)\b/;

async function refusalOf(request: ProbeRequest): Promise<string | null> {
  const log = join(request.scratch, 'debug.txt');
  const login = loginOf(request.env);
  await run(
    request,
    [
      ...['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'],
      ...['--model', request.model, '--setting-sources', '', '--settings', JSON.stringify(login.settings)],
      ...['--strict-mcp-config', '--tools', '', '--disable-slash-commands', '--no-session-persistence'],
      ...['--debug-file', log],
    ],
    `${JSON.stringify(ASKED)}\n`,
  );
  const text = await readFile(log, 'utf8').catch(() => '');
  const refused = REFUSED.exec(text)?.[1]?.slice(0, 300) ?? null;
  return refused === null || NO_COUNTING.test(refused) ? null : refused;
}

interface CommandOutput {
  readonly stdout: string;
  readonly error: (Error & { code?: unknown }) | null;
}

function run(
  { env, scratch, signal }: ProbeRequest,
  args: readonly string[],
  input = '',
): Promise<CommandOutput> {
  const commandEnv = { ...env, ...loginOf(env).env, ...API_ONLY };
  const limits = { timeout: LIMIT_MS, killSignal: 'SIGKILL', maxBuffer: 64_000_000 } as const;
  return new Promise(resolve => {
    const child = execFile(
      'claude',
      args,
      { cwd: scratch, env: commandEnv, signal, ...limits },
      (error, stdout) => resolve({ stdout, error: error as CommandOutput['error'] }),
    );
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
}
