/**
 * Runs a command without a sandbox, in its own process group. On Linux, processes that left the group are found by
 * their TMPDIR, which is unique to the command; only a process that also cleared its environment can escape.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Identity } from '../../formats/launch.ts';
import { identityOf, isAlive } from '../identity.ts';
import { killProcess, signalGroup } from '../kill.ts';
import { environmentOf, pids, statOf } from '../proc-table.ts';
import type { Command, Outputs, Running } from '../shell-command-types.ts';
import type { TemporaryHome } from './temporary-home.ts';
import { toolchainVariables } from './toolchain.ts';

export function startUnsandboxed(
  { command, cwd, env }: Command,
  privateFolders: TemporaryHome,
  outputs: Outputs,
): Running {
  const child = spawn('sh', ['-c', command], {
    cwd,
    env: { ...toolchainVariables(env), ...env, HOME: privateFolders.home, TMPDIR: privateFolders.tmp },
    detached: true,
    stdio: ['ignore', outputs.stdout, outputs.stderr],
  });
  let spawnError: string | null = null;
  const exited = once(child, 'exit').catch((error: unknown) => {
    spawnError = String(error);
  });
  const { pid } = child;
  const send = (signal: NodeJS.Signals | 0) => pid !== undefined && signalGroup(pid, signal);
  return {
    exited,
    async terminate(grace_ms) {
      send('SIGTERM');
      const deadline = performance.now() + grace_ms;
      while (send(0) && performance.now() < deadline) await sleep(20);
    },
    async end() {
      send('SIGKILL');
      await exited;
      if (pid !== undefined) await endAll(pid, `TMPDIR=${privateFolders.tmp}`);
    },
    result: () =>
      spawnError === null
        ? { exit_code: child.exitCode, signal: child.signalCode, spawnError }
        : { exit_code: null, signal: null, spawnError },
  };
}

/**
 * Milliseconds to wait for a process that is stuck in the kernel because of a device or a network file
 * system.
 */
const ENDING_MS = 30_000;

/**
 * Kills the remaining processes and waits until none is left, because a killed process exists until the kernel has
 * ended it.
 */
async function endAll(group: number, mark: string): Promise<void> {
  signalGroup(group, 'SIGKILL');
  let left: Identity[] = [];
  for (const until = performance.now() + ENDING_MS; performance.now() < until; await sleep(5)) {
    const found = kill(mark, group);
    const before = left.filter(({ pid }) => !found.some(one => one.pid === pid));
    left = [...before.filter(isAlive), ...found];
    if (left.length === 0) return;
  }
}

/** Kills the processes of the group, and daemons, which leave it with setsid but keep their environment. */
function kill(mark: string, group: number): Identity[] {
  return pids().flatMap(pid => {
    const isOurs = pid !== process.pid && (statOf(pid)?.group === group || environmentOf(pid).includes(mark));
    const identity = isOurs ? identityOf(pid) : null;
    if (!identity) return [];
    killProcess(pid);
    return [identity];
  });
}
