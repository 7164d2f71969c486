/** Finds the processes of a project by the HOME in their environment, and tells them apart by their command lines. */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const KINDS = {
  driver: line => line.includes('bin/run.js serve'),
  runner: line => line.includes('dist/runner.cjs'),
  agent: line => line.includes('dist/rehearse.cjs'),
  tests: line => line.includes('greets.sh') || line.startsWith('bwrap '),
  tmux: line => line.startsWith('tmux '),
};

const read = file => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};

function processesOf(home) {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter(pid => read(`/proc/${pid}/environ`).split('\0').includes(`HOME=${home}`))
    .map(pid => ({ pid: Number(pid), line: read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ') }));
}

/** Says what each process of the project is doing: its state, the kernel function it waits in, and its command line. */
export const describeProcesses = home =>
  processesOf(home).map(({ pid, line }) => {
    const state = /^State:\s+(\S)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? '?';
    return `${pid} ${state} ${read(`/proc/${pid}/wchan`)} ${line.slice(0, 120)}`;
  });

function send(pid, signal) {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

export const pidsOf = (home, kind) =>
  processesOf(home)
    .filter(({ line }) => KINDS[kind](line))
    .map(({ pid }) => pid);

/** Sends a signal to each process, and returns how many received it. */
export const signalAll = (pids, signal) => pids.filter(pid => send(pid, signal)).length;

/** A killed process remains until the kernel has removed it, which takes longer on a busy machine. */
const GONE_MS = 60_000;

/**
 * Kills all processes of the project at once, as a power cut does, including the commands of the simulated person. A
 * process cannot be found while it is in `exec`, so this stops only after finding none twice in a row.
 */
export async function cutPower(home) {
  const killed = new Set();
  const until = performance.now() + GONE_MS;
  for (let unseen = 0; ; await pause(20)) {
    const pids = processesOf(home).map(({ pid }) => pid);
    for (const pid of pids) if (send(pid, 'SIGKILL')) killed.add(pid);
    unseen = pids.length === 0 ? unseen + 1 : 0;
    if (unseen === 2 || performance.now() > until) return killed.size;
  }
}
