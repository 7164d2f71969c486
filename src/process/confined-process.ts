/**
 * A command in a sandbox. All its processes are in one PID namespace, which the kernel kills together with its first
 * process. That process dies with bubblewrap, and bubblewrap with this process, even after SIGKILL.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Identity } from '../formats/launch.ts';
import { bubblewrapArguments } from './bubblewrap.ts';
import { identityOf, isAlive, signalProcess } from './identity.ts';
import { type Command, type Outputs, type Running, within } from './run-command.ts';
import type { Bubblewrap } from './sandbox.ts';
import { homeIn, viewOf } from './sandbox-view.ts';
import type { PrivateFolders } from './temporary-home.ts';
import { toolchainVariables } from './toolchain.ts';

export function startConfined(
  { command, cwd, env, confinement }: Command,
  own: PrivateFolders,
  outputs: Outputs,
  { program, namespaces }: Bubblewrap,
): Running {
  const view = viewOf(confinement, env, cwd, own);
  const args = bubblewrapArguments(view, namespaces, ['sh', '-c', command]);
  const child = spawn(program, ['--json-status-fd', '3', ...args], {
    cwd: '/',
    env: { ...toolchainVariables(env), ...env, HOME: homeIn(env), TMPDIR: '/tmp' },
    detached: true,
    stdio: ['ignore', outputs.stdout, outputs.stderr, 'pipe'],
  });
  let spawnError: string | null = null;
  const exited = once(child, 'exit').catch((error: unknown) => {
    spawnError = String(error);
  });
  const status = statusOf(child.stdio[3] as Readable);
  return {
    exited,
    async terminate(grace_ms) {
      const first = status.first();
      // Signal the whole session. The first process of a namespace ignores TERM from outside; the others receive it.
      if (!first || !toGroup(first)) child.kill('SIGKILL');
      await within(grace_ms, exited);
    },
    async end() {
      // When the first process is killed, all others end before bubblewrap does.
      const first = status.first();
      if (!first || !signalProcess(first, 'SIGKILL')) child.kill('SIGKILL');
      await exited;
      await status.ended;
      await gone(status.first());
    },
    result(said) {
      if (spawnError === null && child.exitCode !== null && !status.began())
        spawnError = `the sandbox: ${said}`;
      if (spawnError !== null) return { exit_code: null, signal: null, spawnError };
      return { exit_code: child.exitCode, signal: child.signalCode, spawnError };
    },
  };
}

interface Status {
  /** The first process of the namespace, once it exists. */
  first(): Identity | null;
  /** True if the command itself ran. */
  began(): boolean;
  readonly ended: Promise<unknown>;
}

/**
 * Reads bubblewrap's status pipe: the pid it started and its exit status. The pipe ends early if it could not start.
 */
function statusOf(pipe: Readable): Status {
  let text = '';
  let first: Identity | null = null;
  pipe.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk;
    const pid = /"child-pid": *(\d+)\D/.exec(text)?.[1];
    if (pid && !first) first = identityOf(Number(pid));
  });
  return {
    first: () => first,
    began: () => text.includes('"exit-code"'),
    ended: once(pipe, 'close').catch(() => undefined),
  };
}

/** Bubblewrap may exit before the namespace is gone. */
async function gone(first: Identity | null): Promise<void> {
  if (!first) return;
  signalProcess(first, 'SIGKILL');
  while (isAlive(first)) await sleep(2);
}

function toGroup(leader: Identity): boolean {
  try {
    return isAlive(leader) && process.kill(-leader.pid, 'SIGTERM');
  } catch {
    return false;
  }
}
