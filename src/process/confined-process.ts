/**
 * A command in a sandbox. All that it starts lives in one PID namespace, which the kernel ends with its first process;
 * that one dies with bubblewrap, and bubblewrap with this process, even when this is killed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { identityOf, isAlive, signal } from '../agents/identity.ts';
import type { Identity } from '../formats/launch.ts';
import { bubblewrapArguments } from './bubblewrap.ts';
import type { OwnFolders } from './own-folders.ts';
import { type Command, type Outputs, type Running, within } from './run-command.ts';
import type { Bubblewrap } from './sandbox.ts';
import { toolchainVariables } from './toolchain.ts';
import { homeIn, viewOf } from './view.ts';

export function startConfined(
  { command, cwd, env, confinement }: Command,
  own: OwnFolders,
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
      // To all of its session. The first process of a namespace hears no TERM from outside, so all others do.
      if (!first || !toGroup(first)) child.kill('SIGKILL');
      await within(grace_ms, exited);
    },
    async end() {
      // With the first process all others end before bubblewrap does.
      const first = status.first();
      if (!first || !signal(first, 'SIGKILL')) child.kill('SIGKILL');
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
  /** The first process of the namespace, once there is one. */
  first(): Identity | null;
  /** True when the command itself ran. */
  began(): boolean;
  readonly ended: Promise<unknown>;
}

/** Bubblewrap says on a pipe of its own what it started, and how that ended; it ends there when it could not start it. */
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

/** Bubblewrap may end before the namespace has. */
async function gone(first: Identity | null): Promise<void> {
  if (!first) return;
  signal(first, 'SIGKILL');
  while (isAlive(first)) await sleep(2);
}

function toGroup(leader: Identity): boolean {
  try {
    return isAlive(leader) && process.kill(-leader.pid, 'SIGTERM');
  } catch {
    return false;
  }
}
