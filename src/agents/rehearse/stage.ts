/**
 * What a move does to the world: files and commands in the run directory. Paths are kept inside the project, against
 * slips of a cassette's author; `sh` can do whatever the agent of a careless person could.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** What came of a move, as a tool would tell the agent. */
export interface Outcome {
  readonly text: string;
  readonly failed: boolean;
}

/** Commands at work, each leader of a process group. */
const atWork = new Set<number>();
const OUTPUT_LIMIT = 100_000;

export async function write(runDir: string, path: string, text: string): Promise<Outcome> {
  const file = inProject(runDir, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  return { text: `File written: ${path}`, failed: false };
}

export async function remove(runDir: string, path: string): Promise<Outcome> {
  await rm(inProject(runDir, path), { recursive: true, force: true });
  return { text: `Removed: ${path}`, failed: false };
}

/** A command's children may outlive it and keep its output open; only the command itself is waited for. */
export async function shell(
  runDir: string,
  command: string,
  words: Readonly<Record<string, string>>,
): Promise<Outcome> {
  const child = spawn('sh', ['-c', command], {
    cwd: runDir,
    env: { ...process.env, ...words },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const take = (chunk: Buffer) => {
    if (output.length < OUTPUT_LIMIT) output += chunk.toString();
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  const closed = once(child, 'close');
  const ended = once(child, 'exit') as Promise<[code: number | null, signal: string | null]>;
  await once(child, 'spawn');
  const { pid } = child;
  if (pid !== undefined) atWork.add(pid);
  const [code, signal] = await ended;
  if (pid !== undefined) atWork.delete(pid);
  await Promise.race([closed, pause(200)]);
  return { text: code === 0 ? output : `${output}\nended with ${code ?? signal}`.trim(), failed: code !== 0 };
}

/** Ends the commands at work, with what they started in their groups. */
export function clear(): void {
  for (const pid of atWork) {
    try {
      process.kill(-pid, 'SIGTERM');
    } catch {
      // It has ended meanwhile.
    }
  }
}

function inProject(runDir: string, path: string): string {
  const file = resolve(runDir, path);
  const project = resolve(runDir, '..', '..', '..');
  if (relative(project, file).split('/')[0] === '..')
    throw new RangeError(`${path} lies outside the project`);
  return file;
}
