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
