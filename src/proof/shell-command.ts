/**
 * One shell command from start to end, in a process group of its own. When the promise settles, no process of that
 * group is left, nor (on Linux) one that left the group but kept the run's own TMPDIR in its environment.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ShellCommand {
  readonly command: string;
  readonly cwd: string;
  /** All of the environment; TMPDIR must be a folder that no other process was given. */
  readonly env: Readonly<Record<string, string>> & { readonly TMPDIR?: string };
  readonly timeout_ms: number;
  /** Between TERM and KILL. */
  readonly grace_ms: number;
  readonly signal: AbortSignal;
  onOutput(from: 'stdout' | 'stderr', chunk: Buffer): void;
}

export interface CommandEnd {
  /** Null when a signal or the time limit ended it. */
  readonly exit_code: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  readonly spawnError: string | null;
}

/** Output that was printed before the end still has to be read, but not waited for for ever. */
const DRAIN_MS = 10_000;

export async function runShellCommand(run: ShellCommand): Promise<CommandEnd> {
  const child = spawn('sh', ['-c', run.command], {
    cwd: run.cwd,
    env: run.env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.on('data', (chunk: Buffer) => run.onOutput('stdout', chunk));
  child.stderr.on('data', (chunk: Buffer) => run.onOutput('stderr', chunk));
  const closed = once(child, 'close').catch(() => undefined);
  const exited = once(child, 'exit').catch((error: unknown) => error as Error);
  const { pid } = child;
  if (pid === undefined) {
    const error = await exited;
    return { exit_code: null, signal: null, timedOut: false, spawnError: String(error) };
  }

  const timedOut = await outlasts(exited, run);
  if (timedOut || run.signal.aborted) await end(pid, run.grace_ms);
  await exited;
  kill(pid, 'SIGKILL');
  if (run.env.TMPDIR) await killEscaped(`TMPDIR=${run.env.TMPDIR}`);
  await drained(child, closed);
  return {
    exit_code: timedOut ? null : child.exitCode,
    signal: child.signalCode,
    timedOut,
    spawnError: null,
  };
}

/** True when the time is over before the command is; false when it ended or nobody waits for it any more. */
async function outlasts(exited: Promise<unknown>, { timeout_ms, signal }: ShellCommand): Promise<boolean> {
  const settled = new AbortController();
  const limit = sleep(timeout_ms, true, { signal: AbortSignal.any([signal, settled.signal]) }).catch(
    () => false,
  );
  try {
    return await Promise.race([exited.then(() => false), limit]);
  } finally {
    settled.abort();
  }
}

/** TERM, and KILL for what is still there after the grace. */
async function end(pid: number, grace_ms: number): Promise<void> {
  kill(pid, 'SIGTERM');
  const deadline = performance.now() + grace_ms;
  while (kill(pid, 0) && performance.now() < deadline) await sleep(20);
  kill(pid, 'SIGKILL');
}

/** To the whole group. False when nothing of it is left. */
function kill(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal);
  } catch {
    return false;
  }
}

/** A daemon leaves its group by setsid, but takes its environment along. */
async function killEscaped(mark: string): Promise<void> {
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

async function drained(child: ChildProcess, closed: Promise<unknown>): Promise<void> {
  const settled = new AbortController();
  await Promise.race([closed, sleep(DRAIN_MS, null, { signal: settled.signal }).catch(() => null)]);
  settled.abort();
  child.stdout?.destroy();
  child.stderr?.destroy();
}
