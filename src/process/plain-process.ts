/**
 * A command without a sandbox, in a process group of its own. What left the group is found (on Linux) by the TMPDIR in
 * its environment, which no other process was given; only one that gave up its environment as well can stay.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OwnFolders } from './own-folders.ts';
import type { Command, Outputs, Running } from './run-command.ts';
import { toolchainVariables } from './toolchain.ts';

export function startPlain({ command, cwd, env }: Command, own: OwnFolders, outputs: Outputs): Running {
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

/** False when nothing of the group is left. */
function toGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal);
  } catch {
    return false;
  }
}

/** A daemon leaves its group by setsid, but takes its environment along. */
async function killMarked(mark: string): Promise<void> {
  const pids = (await readdir('/proc').catch(() => [])).filter(name => /^\d+$/.test(name)).map(Number);
  for (const pid of pids) {
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
    if (pid === process.pid || !environment.split('\0').includes(mark)) continue;
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended by itself meanwhile.
    }
  }
}
