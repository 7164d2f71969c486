/** The processes of a project, found by the HOME in their environment, and distinguished by their command lines. */
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

/** Returns how many received the signal. */
export const signalAll = (pids, signal) => pids.filter(pid => send(pid, signal)).length;

/** Kills everything at once, as a power cut does, except for commands that a person would run again anyway. */
export async function cutPower(home) {
  let killed = 0;
  for (let round = 0; round < 50; round += 1) {
    const pids = processesOf(home).map(({ pid }) => pid);
    if (pids.length === 0) break;
    killed += signalAll(pids, 'SIGKILL');
    await pause(20);
  }
  return killed;
}
