/**
 * Measures how many milliseconds the sandbox adds to a launch: the time from the start of the runner until the agent
 * runs, without a sandbox, in `standard` and in `strict` (with proxy and relay). The agent is `node -e`, which prints
 * the time. Rounds alternate between the three.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { line, median } from './support/statistics.mjs';

const ROUNDS = Number(process.env.BENCH_RUNS ?? 15);
const dist = resolve(import.meta.dirname, '../../dist');
const top = mkdtempSync(join(tmpdir(), 'dure-bench-'));
const namespaces = process.getuid() === 0 ? [] : ['--unshare-user'];
let launches = 0;

/** Starts a runner, and returns the milliseconds until its agent runs. */
function launch(mode) {
  launches += 1;
  const run = join(top, 'run');
  for (const folder of ['launches', 'prompts', 'work']) mkdirSync(join(run, folder), { recursive: true });
  const cwd = join(run, 'work');
  const environment = join(top, 'environment.json');
  writeFileSync(environment, JSON.stringify({ PATH: process.env.PATH, HOME: process.env.HOME }));
  const sandbox = {
    mode,
    program: '/usr/bin/bwrap',
    namespaces,
    folder: join(top, 'agents'),
    readable: [process.execPath, dist],
    writable: [cwd],
    hidden: [run],
    empty: [],
    login: [],
    files: {},
    replaced: {},
    hosts: [],
  };
  const spec = {
    launch: launches,
    run_id: 'run-20260101-000000',
    role: 'builder',
    step: 'build',
    iteration: 1,
    backend: 'bench',
    stream: 'text',
    argv: [process.execPath, '-e', 'console.log(Date.now())'],
    cwd,
    environment,
    prompt: null,
    resumes: false,
    session: null,
    artefacts: [],
    ...(mode && { sandbox }),
  };
  writeFileSync(join(run, 'launches', `${launches}.json`), JSON.stringify(spec));
  const began = Date.now();
  execFileSync(process.execPath, [join(dist, 'runner.cjs'), run, String(launches)], { stdio: 'ignore' });
  return Number(readFileSync(join(run, 'logs', `builder.${launches}.jsonl`), 'utf8')) - began;
}

const VARIANTS = { 'without a sandbox': null, standard: 'standard', strict: 'strict' };
try {
  const took = Object.fromEntries(Object.keys(VARIANTS).map(name => [name, []]));
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [name, mode] of Object.entries(VARIANTS)) took[name].push(launch(mode));
  for (const [name, times] of Object.entries(took)) console.log(line(name, times));
  const added = name => Math.round(median(took[name]) - median(took['without a sandbox']));
  console.log(`added to a launch: standard ${added('standard')} ms, strict ${added('strict')} ms`);
} finally {
  rmSync(top, { recursive: true, force: true });
}
