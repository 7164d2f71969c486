/**
 * Runs a program in bubblewrap. All its processes are in one PID namespace; when the first process of the
 * namespace dies, the kernel kills the others. That process dies with bubblewrap, and bubblewrap dies with
 * this process, even on SIGKILL.
 */
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Identity } from '../../formats/launch.ts';
import { identityOf, isAlive, signalProcess } from '../identity.ts';
import { signalGroup } from '../kill.ts';
import { bubblewrapArguments, type View } from './bubblewrap-arguments.ts';
import type { Bubblewrap } from './find-sandbox.ts';
import type { Env } from './toolchain.ts';

export interface BubblewrapProcess {
  readonly child: ChildProcess;
  /** Resolves to null when bubblewrap has ended, or to an error if it could not be started. */
  readonly exited: Promise<Error | null>;
  /** Signals all processes of the program's session. False if the program is not running. */
  signal(name: NodeJS.Signals): boolean;
  /** Kills all processes. Settles when none is left. */
  end(): Promise<void>;
  /** Whether the program itself ran. Known after `end`. */
  began(): boolean;
}

export interface Program {
  readonly argv: readonly string[];
  /** The complete environment. */
  readonly env: Env;
  /** Standard input, output and error. */
  readonly stdio: Extract<StdioOptions, unknown[]>;
}

export function startBubblewrap(
  { program, namespaces }: Pick<Bubblewrap, 'program' | 'namespaces'>,
  view: View,
  { argv, env, stdio }: Program,
): BubblewrapProcess {
  const args = bubblewrapArguments(view, namespaces, argv);
  const child = spawn(program, ['--json-status-fd', '3', ...args], {
    cwd: '/',
    env: { ...env },
    detached: true,
    stdio: [...stdio, 'pipe'],
  });
  const exited = once(child, 'exit').then(
    () => null,
    (error: Error) => error,
  );
  const status = statusOf(child.stdio[3] as Readable);
  return {
    child,
    exited,
    signal(name) {
      // Signal the whole session: only the first process of the namespace ignores signals from outside the namespace.
      const first = status.first();
      return first !== null && isAlive(first) && signalGroup(first.pid, name);
    },
    async end() {
      // If bubblewrap were killed after it starts the first process but before it reports the pid, that process would
      // remain.
      await Promise.race([status.firstKnown, exited, sleep(PID_TIMEOUT_MS, null, { ref: false })]);
      // When the first process is killed, all others end before bubblewrap does.
      const first = status.first();
      if (!first || !signalProcess(first, 'SIGKILL')) child.kill('SIGKILL');
      await exited;
      await status.ended;
      await waitUntilGone(status.first());
    },
    began: status.began,
  };
}

/** Milliseconds allowed for bubblewrap to report the pid of its first process on a busy machine. */
const PID_TIMEOUT_MS = 30_000;

interface Status {
  /** Settles when the first process is known, or when the status pipe closes. */
  readonly firstKnown: Promise<unknown>;
  /** The first process of the namespace, once it exists. */
  first(): Identity | null;
  /** Whether the command itself ran. */
  began(): boolean;
  readonly ended: Promise<unknown>;
}

/**
 * Reads bubblewrap's status pipe: the pid of the process that it started, and the exit status. The pipe ends
 * early if nothing could be started.
 */
function statusOf(pipe: Readable): Status {
  let text = '';
  let first: Identity | null = null;
  let settle: () => void;
  const firstKnown = new Promise<void>(resolve => {
    settle = resolve;
  });
  pipe.once('close', () => settle());
  pipe.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk;
    const pid = /"child-pid": *(\d+)\D/.exec(text)?.[1];
    if (!pid || first) return;
    first = identityOf(Number(pid));
    settle();
  });
  return {
    firstKnown,
    first: () => first,
    began: () => text.includes('"exit-code"'),
    ended: once(pipe, 'close').catch(() => undefined),
  };
}

/** Bubblewrap may exit before the namespace is gone. */
async function waitUntilGone(first: Identity | null): Promise<void> {
  if (!first) return;
  signalProcess(first, 'SIGKILL');
  while (isAlive(first)) await sleep(2);
}
