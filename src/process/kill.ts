/**
 * Stops agents reliably. An agent's tool may run in its own session, out of reach of signals to the agent's process
 * group; it is found by the marks that all processes of a launch inherit in their environment.
 */
import type { LaunchMark } from '../formats/launch.ts';
import { environmentOf, pids, statOf } from './proc-table.ts';

/**
 * Environment variables that mark all processes of a launch. The run folder is unique on a machine; a run id is not.
 */
export const marksOf = (runDir: string, launch: number): Record<LaunchMark, string> => ({
  DURE_RUN: runDir,
  DURE_LAUNCH: String(launch),
});

export type KillStep = readonly [signal: NodeJS.Signals, afterMs: number];

/** The signals for an agent that was already asked to stop: an interrupted claude ends within 100 ms. */
export const POLITE_KILL: readonly KillStep[] = [
  ['SIGINT', 3000],
  ['SIGTERM', 6000],
  ['SIGKILL', 12_000],
];
/** The signals for an agent without a control channel. */
export const IMMEDIATE_KILL: readonly KillStep[] = [
  ['SIGINT', 0],
  ['SIGTERM', 3000],
  ['SIGKILL', 9000],
];

/** Sends one signal after another until the returned function is called. */
export function killSteps(send: (name: NodeJS.Signals) => void, steps: readonly KillStep[]): () => void {
  const timers = steps.map(([name, after]) => setTimeout(() => send(name), after));
  return () => timers.forEach(clearTimeout);
}

/** False if no process is left in the group. Signal 0 only checks whether any is left. */
export function signalGroup(leader: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-leader, name);
  } catch {
    return false;
  }
}

/**
 * Kills every process with the marks of this launch, including new ones, until none is found. Returns how
 * many were killed. The marks are read from /proc, which only Linux has: on other systems, kills nothing; on Linux,
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
      killProcess(pid);
    }
  }
  return killed.size;
}

function marked(marks: readonly string[]): number[] {
  return pids().filter(pid => {
    if (pid === process.pid) return false;
    const environment = environmentOf(pid);
    return marks.every(mark => environment.includes(mark));
  });
}

/** Kills one process, which may already have exited. */
export function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has already exited.
  }
}

/**
 * Kills all descendants of this process until none is left. If this process is a subreaper (launchers/subreaper.ts),
 * its descendants include every process that they started, even orphaned ones.
 */
export function endDescendants(): void {
  for (let round = 0; round < 200; round += 1) {
    const found = descendantsOf(process.pid);
    if (found.length === 0) return;
    found.forEach(killProcess);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
  }
}

/** Ignores zombies, because this process does not reap the processes that it adopts. */
function descendantsOf(ancestor: number): number[] {
  const children = new Map<number, number[]>();
  for (const pid of pids()) {
    const parent = statOf(pid)?.parent;
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const below = (pid: number): number[] =>
    (children.get(pid) ?? []).flatMap(child => [child, ...below(child)]);
  return below(ancestor);
}
