/** Functions that inject faults into a run. Each returns how many times its fault had an effect. */
import {
  appendFileSync,
  existsSync,
  readFileSync,
  rmSync,
  statfsSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { cutPower, pidsOf, signalAll } from './processes.mjs';

const kill = kind => async project => signalAll(pidsOf(project.home, kind), 'SIGKILL');

/** Stops processes for a while, so that they may miss their time limits. */
async function suspend({ home }, random) {
  const pids = pidsOf(home, random.one(['driver', 'runner', 'agent']));
  const affected = signalAll(pids, 'SIGSTOP');
  await pause(random.between(300, 3000));
  signalAll(pids, 'SIGCONT');
  return affected;
}

async function fillDisk({ top }, random) {
  const filler = join(top, 'filler');
  const { bavail, bsize } = statfsSync(top);
  try {
    writeFileSync(filler, Buffer.alloc(bavail * bsize));
  } catch {
    // Other processes write at the same time, so some of the blocks counted as free may already be in use.
  }
  await pause(random.between(500, 6000));
  rmSync(filler, { force: true });
  return 1;
}

/** Makes disk calls fail for a while. `failing` lists the kinds of calls, as indexes into `rates` of failing-disk.c. */
const failDisk =
  (...failing) =>
  async ({ rates }, random) => {
    const calls = Buffer.alloc(8);
    for (const kind of failing) calls.writeUInt32LE(random.between(600, 8000), 4 * kind);
    writeFileSync(rates, calls, { flag: 'r+' });
    await pause(random.between(500, 4000));
    writeFileSync(rates, Buffer.alloc(8), { flag: 'r+' });
    return 1;
  };
const [WRITING, READING] = [0, 1];

async function stepClock({ clock }, random) {
  const step = BigInt(random.one([10, 300, 7200, 86_400, 94_608_000]));
  const seconds = Buffer.alloc(8);
  seconds.writeBigInt64LE(random.one([1n, -1n]) * step);
  writeFileSync(clock, seconds, { flag: 'r+' });
  return 1;
}

const DAMAGES = [
  file => truncateSync(file, Math.floor(readFileSync(file).length / 2)),
  file => writeFileSync(file, ''),
  file => writeFileSync(file, '{'),
  file => rmSync(file),
];

/**
 * Files that are derived from others. They are damaged only after a power cut, because a running driver would
 * repair them at once.
 */
const DERIVED = ['state.json', 'driver.json', 'delivered.json', 'mrp/summary.md', 'mrp/evidence.json'];

async function damage(project, random) {
  const affected = await cutPower(project.home);
  for (const run of project.runIds()) {
    const file = join(project.runs, run, random.one(DERIVED));
    const damageFile = random.one(DAMAGES);
    if (existsSync(file)) damageFile(file);
  }
  return Math.max(1, affected);
}

/** Simulates a power failure while the last line of the log is being written. */
async function writePartialLine(project) {
  await cutPower(project.home);
  for (const run of project.runIds()) {
    const log = join(project.runs, run, 'events.log');
    if (existsSync(log)) appendFileSync(log, '[2026-01-01T00:00:00.000Z] agent.comp');
  }
  return 1;
}

export const FAULTS = {
  'driver killed': kill('driver'),
  'runner killed': kill('runner'),
  'agent killed': kill('agent'),
  'tests killed': kill('tests'),
  'tmux killed': kill('tmux'),
  'power cut': project => cutPower(project.home),
  suspended: suspend,
  'disk full': fillDisk,
  'write errors': failDisk(WRITING),
  'read errors': failDisk(READING),
  'read and write errors': failDisk(READING, WRITING),
  'clock stepped': stepClock,
  'files damaged': damage,
  'log torn': writePartialLine,
};

/** Lists the names of the faults that can be injected into this project. */
export const faultsFor = ({ disk, failing, clock, tmux }) =>
  Object.keys(FAULTS).filter(
    name =>
      (name !== 'disk full' || disk) &&
      (!name.endsWith(' errors') || failing) &&
      (name !== 'clock stepped' || clock) &&
      (name !== 'tmux killed' || tmux),
  );
