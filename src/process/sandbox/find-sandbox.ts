/**
 * Detects whether commands can be confined on this machine, by confining one. An installed bubblewrap proves nothing:
 * kernels and containers restrict namespaces in many ways.
 */
import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
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
const TRY_MS = 20_000;

const cache = new Map<string, Promise<Sandbox>>();

/** Tests for a sandbox once per process and environment; again if that failed, for example because the disk was full. */
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
  let problem = '';
  // Try without a user namespace first, because inside one, files of other users appear to be owned by
  // nobody. Only root can do without it.
  for (const namespaces of [[], ['--unshare-user']] satisfies Namespaces[]) {
    const problemText = await tryOut(program, namespaces, env);
    if (problemText === null) return { kind: 'bubblewrap', why: null, program, namespaces };
    problem ||= problemText;
  }
  return none(`bubblewrap does not work here: ${problem}`);
}

const none = (why: string): NoSandbox => ({ kind: 'none', why });

/** Returns null if the sandbox works, otherwise the last line of the error output. */
const tryOut = (program: string, namespaces: Namespaces, env: Env): Promise<string | null> =>
  withTemporaryHome(own => {
    const view = viewOf({ readable: [], writable: [], network: false }, env, '/', own);
    const args = bubblewrapArguments(view, namespaces, ['sh', '-c', ':']);
    return new Promise(resolve => {
      execFile(program, args, { env: { PATH: env['PATH'] }, timeout: TRY_MS }, (error, _, stderr) =>
        resolve(error && (lastLine(stderr) || lastLine(error.message))),
      );
    });
  });

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
