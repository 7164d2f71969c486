/**
 * Takes one run from its briefing to its merge. While faults are injected, a patient simulated person answers
 * questions, approves the pack, and recovers the run if it has no driver.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { FAULTS, faultsFor } from './faults.mjs';
import { describeProcesses } from './processes.mjs';
import { createProject, NOTE } from './project.mjs';
import { randomFrom } from './random.mjs';

/** Milliseconds after which a run that has not ended counts as lost. */
const LIMIT_MS = 900_000;
/** Milliseconds between two checks by the simulated person. */
const POLL_MS = 1500;
const GREETING = 'hello\n';

/** Returns what the seed determines for run number `n`: its launcher and its faults. */
export function planOf(seed, n, means) {
  const random = randomFrom(seed, n);
  const launcher = means.tmux && n % 4 === 3 ? 'tmux' : 'process';
  const possible = faultsFor({ ...means, tmux: launcher === 'tmux' });
  const faults = Array.from({ length: random.between(3, 10) }, () => ({
    after: random.between(100, 3500),
    name: random.one(possible),
  }));
  return { launcher, faults };
}

export async function tortureRun(base, seed, n, means) {
  const { launcher, faults } = planOf(seed, n, means);
  const project = createProject(base, `run-${n}`, means, randomFrom(seed, n, 1));
  const found = { n, faults: 0, questions: 0, losses: [], doubles: [], falseGreens: [] };
  const over = new AbortController();
  try {
    await repeated(() => project.dure('init', '--yes', '--json', '--backend', 'rehearsal'));
    project.playCassette();
    const injecting = inject(project, faults, randomFrom(seed, n, 2), over.signal, found);
    const startedAt = performance.now();
    const ended = await runToCompletion(project, launcher, found, injecting).catch(error => {
      found.losses.push(error.message);
    });
    const isClockTrue = faults.every(({ name }) => name !== 'clock stepped');
    if (ended) expectWorkedTime(ended, isClockTrue ? performance.now() - startedAt : null, found);
    over.abort();
    await injecting;
    await examine(project, found);
  } finally {
    over.abort();
    if (found.losses.length + found.doubles.length + found.falseGreens.length === 0) await project.remove();
  }
  return found;
}

async function inject(project, faults, random, signal, found) {
  while (!signal.aborted && project.runIds().length === 0) await pause(50);
  for (const { after, name } of faults) {
    await pause(after);
    if (signal.aborted) return;
    found.faults += (await FAULTS[name](project, random)) > 0 ? 1 : 0;
  }
}

async function runToCompletion(project, launcher, found, injecting) {
  let faultsAreDone = false;
  void injecting.then(() => {
    faultsAreDone = true;
  });
  const start = ['start', 'Write a greeting.', '--launcher', launcher, '--detach', '--no-browser', '--json'];
  let run = null;
  let status = null;
  for (const until = Date.now() + LIMIT_MS; Date.now() < until; await pause(POLL_MS)) {
    run ??= startedRun(project);
    if (run === null) {
      await project.dure(...start);
      continue;
    }
    status = parsed((await project.dure('status', run, '--json')).stdout);
    if (status?.phase === 'completed' && faultsAreDone) return status;
    await actAsUser(project, run, status, found);
  }
  throw new Error(
    [
      `not completed after ${LIMIT_MS / 1000} s: ${status?.phase ?? 'no status'} ${status?.reason ?? ''}`,
      ...read(join(project.runs, String(run), 'driver.log'))
        .trimEnd()
        .split('\n')
        .slice(-5),
      ...describeProcesses(project.home),
    ].join('\n    '),
  );
}

/**
 * A `dure start` that was killed may have left a folder without a complete first event. Such a folder is not a run.
 */
const startedRun = project =>
  project
    .runIds()
    .find(id => /^\S+ \[INFO\] run\.started .*\n/.test(read(join(project.runs, id, 'events.log')))) ?? null;

async function actAsUser(project, run, status, found) {
  switch (status?.phase) {
    case 'waiting_human': {
      const crp = parsed(read(join(project.runs, run, 'crp', `${status.pending_crp}.json`)));
      const option = crp?.recommendation ?? crp?.options[0].id;
      if (option === undefined) return;
      const { code } = await project.dure('answer', run, '--decision', option, '--json');
      if (code === 0) found.questions += 1;
      return;
    }
    case 'ready_for_merge':
      expectGreen(project, status, found);
      await project.dure('approve', run, '--json');
      return;
    case 'failed':
    case 'stopped':
      throw new Error(`${status.phase}: ${status.reason}`);
    case 'interrupted':
    case undefined:
      await project.dure('recover', run, '--json');
      return;
  }
}

/** `maxMs`: how many milliseconds have actually passed; null if a fault may have changed the clock. */
export function expectWorkedTime({ worked_ms }, maxMs, found) {
  if (!(worked_ms >= 0) || (maxMs !== null && worked_ms > maxMs))
    found.losses.push(`worked ${worked_ms} of ${maxMs} ms`);
}

/** The Gatekeeper always says PASS, so only Dure itself can keep a wrong result from becoming ready to merge. */
function expectGreen(project, { mrp }, found) {
  const text = shown(project, `${mrp?.tree}:greeting.txt`);
  if (text !== GREETING) found.falseGreens.push(`ready with ${JSON.stringify(text)}`);
}

async function examine(project, found) {
  const run = startedRun(project);
  if (run && found.losses.length === 0) {
    const merged = shown(project, 'main:greeting.txt');
    if (merged !== GREETING) found.losses.push(`merged ${JSON.stringify(merged)}`);
    if (read(join(project.root, 'greeting.txt')) !== GREETING)
      found.losses.push('the checkout differs from the merge');
    const { stdout } = await project.dure('verify', run, '--json');
    const faults = parsed(stdout)?.checks?.filter(check => check.fault !== null) ?? [{ fault: stdout }];
    // The pack and state.json are derived; the log, the seals and their bundles are what must never be lost.
    found.losses.push(
      ...faults
        .filter(({ check }) => check !== 'state' && check !== 'pack')
        .map(({ fault }) => String(fault)),
    );
  }
  if (read(join(project.root, 'note.txt')) !== NOTE) found.losses.push("the person's note was changed");
  found.doubles.push(...doubleLaunches(read(project.ledger)));
}

/** Finds launches for which the ledger lists two processes. */
export function doubleLaunches(ledger) {
  const started = new Map();
  const doubles = [];
  for (const line of ledger.split('\n').filter(Boolean)) {
    const [dir, launch, pid] = line.split(' ');
    const key = `${dir} ${launch}`;
    if (started.has(key) && started.get(key) !== pid) doubles.push(`launch ${launch} twice`);
    started.set(key, pid);
  }
  return doubles;
}

/** Tries a command up to five times, because the project has to exist before the faults begin. */
async function repeated(command) {
  for (let tries = 0; tries < 5; tries += 1) {
    const answer = await command();
    if (answer.code === 0) return;
  }
  throw new Error('dure init failed');
}

function shown(project, object) {
  try {
    return `${project.git('show', object)}\n`;
  } catch {
    return null;
  }
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
