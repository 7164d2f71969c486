/**
 * Measures the CPU use of an idle server: its share of one core with fifty runs waiting for the user
 * and no page open. The runs are copies of one real run with other ids.
 */
import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createProject, serve, waitUntil } from './support/scratch-project.mjs';

const RUNS = Number(process.env.BENCH_RESTING ?? 50);
const SECONDS = Number(process.env.BENCH_RESTING_SECONDS ?? 60);
const GOAL_PERCENT = 0.2;
const SETTLES_MS = 75_000;

/** Returns the log with another run id and a recomputed hash chain. */
function renamed(log, from, to) {
  let chain = '0'.repeat(16);
  return log
    .trimEnd()
    .split('\n')
    .map(line => {
      const text = line.replace(/ chain=[0-9a-f]{16}$/, '').replaceAll(from, to);
      chain = createHash('sha256').update(`${chain}\n${text}`).digest('hex').slice(0, 16);
      return `${text} chain=${chain}\n`;
    })
    .join('');
}

/** Returns the CPU milliseconds used by all threads of a process. */
const worked = pid =>
  readdirSync(`/proc/${pid}/task`)
    .map(task => Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]) / 1e6)
    .reduce((sum, ms) => sum + ms, 0);

const project = createProject();
let server = null;
try {
  await project.dure(['init', '--yes', '--json', '--backend', 'rehearsal']);
  const args = ['start', 'Say hello.', '--launcher', 'process', '--yes', '--no-browser', '--json'];
  const { run_id } = JSON.parse(await project.dure(args));
  const runs = join(project.root, '.dure', 'runs');
  const driver = join(runs, run_id, 'driver.json');
  process.kill(JSON.parse(readFileSync(driver, 'utf8')).process.pid, 'SIGKILL');
  for (let n = 1; n < RUNS; n += 1) {
    const id = `${run_id}-${n + 1}`;
    cpSync(join(runs, run_id), join(runs, id), { recursive: true });
    for (const name of ['events.log', 'state.json']) {
      const text = readFileSync(join(runs, run_id, name), 'utf8');
      const own = name === 'events.log' ? renamed(text, run_id, id) : text.replaceAll(run_id, id);
      writeFileSync(join(runs, id, name), own);
    }
  }
  server = await serve(project);
  const { pid } = server.child;
  await waitUntil(`${RUNS} runs are driven`, () =>
    readdirSync(runs)
      .filter(name => name.startsWith('run-'))
      .every(name => {
        try {
          return JSON.parse(readFileSync(join(runs, name, 'driver.json'), 'utf8')).process.pid === pid;
        } catch {
          return false;
        }
      }),
  );
  // V8 releases start-up memory once, after a minute.
  await pause(SETTLES_MS);
  const before = worked(pid);
  await pause(SECONDS * 1000);
  const percent = (worked(pid) - before) / (SECONDS * 10);
  console.log(`${RUNS} idle runs, no page open: ${percent.toFixed(3)}% of a core over ${SECONDS} s`);
  console.log(`the goal, under ${GOAL_PERCENT}%, is ${percent < GOAL_PERCENT ? 'met' : 'MISSED'}`);
} finally {
  await server?.end();
  await project.remove();
}
