/**
 * Ending agents for good. A tool of an agent may sit in a session of its own, where no signal to the agent's process
 * group arrives; it is found by the marks that every process of a launch inherits in its environment.
 */
import { readdirSync, readFileSync } from 'node:fs';
import type { LaunchMark } from '../formats/launch.ts';

/** Environment that marks every process of one launch. The run directory is unique on this machine; a run id is not. */
export const marksOf = (runDir: string, launch: number): Record<LaunchMark, string> => ({
  DURE_RUN: runDir,
  DURE_LAUNCH: String(launch),
});

export type Rung = readonly [signal: NodeJS.Signals, afterMs: number];

/** A polite word has been said already: a claude that was told to interrupt ends within 100 ms. */
export const AFTER_A_WORD: readonly Rung[] = [
  ['SIGINT', 3000],
  ['SIGTERM', 6000],
  ['SIGKILL', 12_000],
];
/** For an agent that cannot be spoken to. */
export const AT_ONCE: readonly Rung[] = [
  ['SIGINT', 0],
  ['SIGTERM', 3000],
  ['SIGKILL', 9000],
];

/** Signals a process group, one rung after the other, until the returned function is called. */
export function climb(leader: number, rungs: readonly Rung[]): () => void {
  const timers = rungs.map(([name, after]) => setTimeout(() => signalGroup(leader, name), after));
  return () => timers.forEach(clearTimeout);
}

/** False when there is nobody (left) in the group. */
export function signalGroup(leader: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(-leader, name);
  } catch {
    return false;
  }
}

/**
 * Kills every process that carries the marks of this launch, and what those start meanwhile, until none is found.
 * Returns how many were killed. Without /proc there is no way to see the marks, and only the process group was ended.
 */
export function reap(runDir: string, launch: number): number {
  const marks = Object.entries(marksOf(runDir, launch)).map(([name, value]) => `${name}=${value}`);
  const killed = new Set<number>();
  for (let round = 0; round < 20; round += 1) {
    const found = marked(marks);
    if (found.length === 0) break;
    for (const pid of found) {
      killed.add(pid);
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // Ended by itself.
      }
    }
  }
  return killed.size;
}

function marked(marks: readonly string[]): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter(name => {
      try {
        const environ = readFileSync(`/proc/${name}/environ`, 'utf8').split('\0');
        return marks.every(mark => environ.includes(mark));
      } catch {
        return false;
      }
    })
    .map(Number);
}

/**
 * Kills every process that descends from this one, until none is left. Where this process adopts what its children leave
 * behind (launchers/adopting.ts), that is all they ever started.
 */
export function endDescendants(): void {
  for (let round = 0; round < 200; round += 1) {
    const found = descendantsOf(process.pid);
    if (found.length === 0) return;
    for (const pid of found)
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // Ended by itself.
      }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
  }
}

/** Zombies are none: nobody here waits for those that were adopted. */
function descendantsOf(ancestor: number): number[] {
  if (process.platform !== 'linux') return [];
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc').filter(name => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (state !== 'Z' && state !== 'X')
        children.set(Number(parent), [...(children.get(Number(parent)) ?? []), Number(name)]);
    } catch {
      // Ended by itself.
    }
  }
  const below = (pid: number): number[] =>
    (children.get(pid) ?? []).flatMap(child => [child, ...below(child)]);
  return below(ancestor);
}
