/**
 * Detects whether commands can be confined on this machine, by confining one. An installed bubblewrap proves nothing:
 * kernels and containers restrict namespaces in many ways.
 */
import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { dureError } from '../../errors.ts';
import { diskFault } from '../../formats/file-system/temporary-disk-errors.ts';
import { pickVariables } from '../pick-variables.ts';
import { runProgram } from '../run-program.ts';
import { bubblewrapArguments, type Namespaces } from './bubblewrap-arguments.ts';
import { viewOf } from './sandbox-view-and-environment.ts';
import { withTemporaryHome } from './temporary-home.ts';
import type { Env } from './toolchain.ts';

export type { Confinement } from './sandbox-view-and-environment.ts';

export interface Bubblewrap {
  readonly kind: 'bubblewrap';
  readonly why: null;
  readonly program: string;
  readonly namespaces: Namespaces;
}

interface NoSandbox {
  readonly kind: 'none';
  /** Why there is no sandbox, in one line. */
  readonly why: string;
}

export type Sandbox = Bubblewrap | NoSandbox;

/** `DURE_SANDBOX=none` disables the sandbox. */
const SWITCH = 'DURE_SANDBOX';
const USUAL = ['/usr/bin', '/usr/local/bin', '/bin', '/run/current-system/sw/bin'];
/** Milliseconds for each attempt. Creating a namespace takes milliseconds, or many seconds on a very busy machine. */
const TRY_MS = [20_000, 60_000];

const cache = new Map<string, Promise<Sandbox>>();

/**
 * Tests for a sandbox once per process and environment, and again only after an error, such as a full disk.
 * Throws `E_SANDBOX_SLOW`: a sandbox that does not answer, or that cannot be started now, may well work, so
 * nothing runs without it.
 */
export function findSandbox(env: Env): Promise<Sandbox> {
  const key = JSON.stringify([env['PATH'], env['HOME'], env[SWITCH]]);
  const known = cache.get(key);
  if (known) return known;
  const found = detectSandbox(env);
  found.catch(() => cache.delete(key));
  cache.set(key, found);
  return found;
}

async function detectSandbox(env: Env): Promise<Sandbox> {
  if (env[SWITCH] === 'none') return none(`${SWITCH} is none`);
  if (process.platform !== 'linux') return none('bubblewrap works only on Linux');
  const program = [...USUAL, ...(env['PATH'] ?? '').split(delimiter).filter(isAbsolute)]
    .map(folder => join(folder, 'bwrap'))
    .find(isExecutable);
  if (!program) return none('bubblewrap (bwrap) is not installed');
  return trySandbox(program, env);
}

const none = (why: string): NoSandbox => ({ kind: 'none', why });

/** Confines a command; if it does not end in time, tries again with the next limit. Throws `E_SANDBOX_SLOW`. */
export async function trySandbox(program: string, env: Env, limitsMs = TRY_MS): Promise<Sandbox> {
  for (const limitMs of limitsMs) {
    const found = await tryNamespaces(program, env, limitMs);
    if (found) return found;
  }
  const why = `it did not start a command within ${limitsMs.at(-1)! / 1000} seconds`;
  throw dureError('E_SANDBOX_SLOW', { program, why });
}

/** Null if an attempt did not end in time. */
async function tryNamespaces(program: string, env: Env, limitMs: number): Promise<Sandbox | null> {
  let problem = '';
  // Try without a user namespace first, because inside one, files of other users appear to be owned by
  // nobody. Only root can do without it.
  for (const namespaces of [[], ['--unshare-user']] satisfies Namespaces[]) {
    const { code, timedOut, stderr } = await tryOut(program, namespaces, env, limitMs);
    if (timedOut) return null;
    if (code === 0) return { kind: 'bubblewrap', why: null, program, namespaces };
    problem ||= lastLine(stderr) || `exit status ${code}`;
  }
  return none(`bubblewrap does not work here: ${problem}`);
}

const tryOut = (program: string, namespaces: Namespaces, env: Env, limitMs: number) =>
  withTemporaryHome(own => {
    const view = viewOf({ readable: [], writable: [], network: false }, env, '/', own);
    const args = bubblewrapArguments(view, namespaces, ['sh', '-c', ':']);
    const ownEnv = pickVariables(env, name => name === 'PATH');
    return runProgram(program, args, { cwd: '/', env: ownEnv, limitMs }).catch(error =>
      notStarted(program, error),
    );
  });

/**
 * Counts a file that cannot be executed as a failure. Any other error, such as too many processes or open files, says
 * nothing about the sandbox: throws `E_SANDBOX_SLOW`.
 */
function notStarted(program: string, error: NodeJS.ErrnoException) {
  if (diskFault(error)) throw error;
  if (!['ENOENT', 'EACCES', 'EPERM', 'ENOEXEC'].includes(error.code ?? ''))
    throw dureError('E_SANDBOX_SLOW', { program, why: error.message }, { cause: error });
  return { code: -1, timedOut: false, stderr: error.message };
}

/** Returns the last line without its full stop, because the caller puts it into a sentence. */
const lastLine = (text: string): string => (text.trim().split('\n').at(-1) ?? '').replace(/\.$/, '');

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
