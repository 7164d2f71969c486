/**
 * Stops agents reliably. An agent's tool may run in its own session, out of reach of signals to the agent's process
 * group; it is found by the marks that all processes of a launch inherit in their environment.
 */
import { readdirSync, readFileSync } from 'node:fs';
import type { LaunchMark } from '../formats/launch.ts';

/**
 * Environment variables that mark all processes of a launch. The run directory is unique on a machine; a run id is not.
 */
export const marksOf = (runDir: string, launch: number): Record<LaunchMark, string> => ({
  DURE_RUN: runDir,
  DURE_LAUNCH: String(launch),
});

export type KillStep = readonly [signal: NodeJS.Signals, afterMs: number];

/** For an agent that was already asked to stop: an interrupted claude ends within 100 ms. */
export const POLITE_KILL: readonly KillStep[] = [
  ['SIGINT', 3000],
  ['SIGTERM', 6000],
  ['SIGKILL', 12_000],
];
/** For an agent without a control channel. */
export const IMMEDIATE_KILL: readonly KillStep[] = [
  ['SIGINT', 0],
  ['SIGTERM', 3000],
  ['SIGKILL', 9000],
];

/** Sends one signal after the other until the returned function is called. */
export function killSteps(send: (name: NodeJS.Signals) => void, steps: readonly KillStep[]): () => void {
  const timers = steps.map(([name, after]) => setTimeout(() => send(name), after));
  return () => timers.forEach(clearTimeout);
}

/** False if no process is left in the group. */
export function signalGroup(leader: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(-leader, name);
  } catch {
    return false;
  }
}

/**
 * Kills every process with the marks of this launch, including new ones, until none is found. Returns how
 * many were killed. Only Linux lets it read the marks, from /proc: elsewhere it kills nothing, and on Linux it
 * throws if /proc is not mounted.
 */
export function killMarked(runDir: string, launch: number): number {
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
        // It has already exited.
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
 * Kills all descendants of this process until none is left. If this process is a subreaper (launchers/subreaper.ts),
 * its descendants include every process that they started, even orphaned ones.
 */
export function endDescendants(): void {
  for (let round = 0; round < 200; round += 1) {
    const found = descendantsOf(process.pid);
    if (found.length === 0) return;
    for (const pid of found)
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has already exited.
      }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
  }
}

/** Ignores zombies, because this process does not reap the processes that it adopts. */
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
      // It has already exited.
    }
  }
  const below = (pid: number): number[] =>
    (children.get(pid) ?? []).flatMap(child => [child, ...below(child)]);
  return below(ancestor);
}
