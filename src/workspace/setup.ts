/**
 * Prepares a new worktree with the command the person configured (`workspace.setup`, e.g. `npm ci`). What it prints
 * goes to a log; when it is over, by itself or by time, nothing it started is left in its process group.
 */
import { spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import { cleanEnv } from './git.ts';

export interface SetupResult {
  readonly ok: boolean;
  /** Null when a signal or the time limit ended it. */
  readonly code: number | null;
  /** The last of what it printed. */
  readonly tail: string;
}
const TAIL = 4000;
const GRACE_MS = 5000;

export async function runSetup(
  command: string,
  dir: string,
  logFile: string,
  timeoutMs: number,
): Promise<SetupResult> {
  const log = await open(logFile, 'w+');
  try {
    const code = await inGroup(command, dir, log.fd, timeoutMs);
    const { size } = await log.stat();
    const from = Math.max(0, size - TAIL);
    const { buffer, bytesRead } = await log.read({ buffer: Buffer.alloc(size - from), position: from });
    return { ok: code === 0, code, tail: buffer.toString('utf8', 0, bytesRead) };
  } finally {
    await log.close();
  }
}

function inGroup(command: string, cwd: string, output: number, timeoutMs: number): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn('sh', ['-c', command], {
      cwd,
      env: cleanEnv(),
      detached: true,
      stdio: ['ignore', output, output],
    });
    const signal = (name: NodeJS.Signals) => {
      try {
        if (child.pid) process.kill(-child.pid, name);
      } catch (error) {
        // The group is gone already.
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
    };
    let last: NodeJS.Timeout | undefined;
    const limit = setTimeout(() => {
      signal('SIGTERM');
      last = setTimeout(() => signal('SIGKILL'), GRACE_MS);
    }, timeoutMs);
    const over = () => {
      clearTimeout(limit);
      clearTimeout(last);
    };
    child.on('error', error => {
      over();
      reject(error);
    });
    child.on('exit', code => {
      over();
      signal('SIGKILL');
      resolve(code);
    });
  });
}
