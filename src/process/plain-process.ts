/**
 * A command without a sandbox, in its own process group. On Linux, processes that left the group are found by their
 * TMPDIR, which is unique to the command; only one that also cleared its environment can escape.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command, Outputs, Running } from './run-command.ts';
import type { PrivateFolders } from './temporary-home.ts';
import { toolchainVariables } from './toolchain.ts';

export function startPlain({ command, cwd, env }: Command, own: PrivateFolders, outputs: Outputs): Running {
  const child = spawn('sh', ['-c', command], {
    cwd,
    env: { ...toolchainVariables(env), ...env, HOME: own.home, TMPDIR: own.tmp },
    detached: true,
    stdio: ['ignore', outputs.stdout, outputs.stderr],
  });
  let spawnError: string | null = null;
  const exited = once(child, 'exit').catch((error: unknown) => {
    spawnError = String(error);
  });
  const { pid } = child;
  const send = (signal: NodeJS.Signals | 0) => pid !== undefined && toGroup(pid, signal);
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
      send('SIGKILL');
      await killMarked(`TMPDIR=${own.tmp}`);
    },
    result: () =>
      spawnError === null
        ? { exit_code: child.exitCode, signal: child.signalCode, spawnError }
        : { exit_code: null, signal: null, spawnError },
  };
}

/** False if no process of the group is left. */
function toGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal);
  } catch {
    return false;
  }
}

/** A daemon leaves the group with setsid, but keeps its environment. */
async function killMarked(mark: string): Promise<void> {
  const pids = (await readdir('/proc').catch(() => [])).filter(name => /^\d+$/.test(name)).map(Number);
  for (const pid of pids) {
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
    if (pid === process.pid || !environment.split('\0').includes(mark)) continue;
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has already exited.
    }
  }
}
