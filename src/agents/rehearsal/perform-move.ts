/**
 * Applies a move: writes files and runs commands in the run folder. Paths must stay inside the project, to catch
 * mistakes in a cassette; `sh` is not restricted.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** The result of a move, as a tool would report it to the agent. */
export interface ShellResult {
  readonly text: string;
  readonly failed: boolean;
}

/** Running commands, each the leader of a process group. */
const running = new Set<number>();
const OUTPUT_LIMIT = 100_000;

export async function write(runDir: string, path: string, text: string): Promise<ShellResult> {
  const file = inProject(runDir, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  return { text: `File written: ${path}`, failed: false };
}

export async function remove(runDir: string, path: string): Promise<ShellResult> {
  await rm(inProject(runDir, path), { recursive: true, force: true });
  return { text: `Removed: ${path}`, failed: false };
}

/** Waits only for the command itself, because its children may outlive it and keep its output open. */
export async function shell(
  runDir: string,
  command: string,
  variables: Readonly<Record<string, string>>,
): Promise<ShellResult> {
  const child = spawn('sh', ['-c', command], {
    cwd: runDir,
    env: { ...process.env, ...variables },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const append = (chunk: Buffer) => {
    if (output.length < OUTPUT_LIMIT) output += chunk.toString();
  };
  child.stdout.on('data', append);
  child.stderr.on('data', append);
  const closed = once(child, 'close');
  const ended = once(child, 'exit') as Promise<[code: number | null, signal: string | null]>;
  await once(child, 'spawn');
  const { pid } = child;
  if (pid !== undefined) running.add(pid);
  const [code, signal] = await ended;
  if (pid !== undefined) running.delete(pid);
  await Promise.race([closed, pause(200)]);
  return { text: code === 0 ? output : `${output}\nended with ${code ?? signal}`.trim(), failed: code !== 0 };
}

/** Ends the running commands and their process groups. */
export function clear(): void {
  for (const pid of running) {
    try {
      process.kill(-pid, 'SIGTERM');
    } catch {
      // It has already exited.
    }
  }
}

function inProject(runDir: string, path: string): string {
  const file = resolve(runDir, path);
  const project = resolve(runDir, '..', '..', '..');
  if (relative(project, file).split('/')[0] === '..') throw new RangeError(`${path} is outside the project`);
  return file;
}
