/**
 * Measures the server of a project with ten thousand runs and one open page: how long requests for the first page of
 * the list take, and the memory of the idle process. Then measures the time and the memory that `/health/interrupted`
 * needs with two thousand interrupted runs. The run folders are copies of one real run with other ids and times.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startBrowser } from './support/browser.mjs';
import { createProject, serve } from './support/scratch-project.mjs';
import { line, median } from './support/statistics.mjs';

const RUNS = Number(process.env.BENCH_RUN_FOLDERS ?? 10_000);
const INTERRUPTED = RUNS / 5;
const ASKED = 50;
const GOAL = { list_ms: 50, rss_mb: 150 };

/** Creates one real run, and copies of it with only the files that a server reads. */
async function fill(project) {
  const args = [
    'start',
    'Say hello to whoever comes.',
    '--backend',
    'rehearsal',
    '--launcher',
    'process',
    '--yes',
  ];
  const { run_id } = JSON.parse(await project.dure([...args, '--no-browser', '--json']));
  await project.dure(['approve', run_id, '--json']);
  const runs = join(project.root, '.dure', 'runs');
  const of = name => readFileSync(join(runs, run_id, name), 'utf8');
  const [state, events] = [of('state.json'), of('events.log')];
  const began = Date.now() - 40 * 86_400_000;
  for (let n = 0; n < RUNS - 1; n += 1) {
    const at = new Date(began + n * 300_000).toISOString();
    const id = `run-${at.replace(/[-:]/g, '').replace('T', '-').slice(0, 15)}`;
    const dir = join(runs, id);
    mkdirSync(join(dir, 'briefing'), { recursive: true });
    const known = { ...JSON.parse(state), run_id: id, started_at: at, updated_at: at };
    const left = n < INTERRUPTED ? { phase: 'interrupted', interrupted_from: 'build' } : {};
    writeFileSync(join(dir, 'state.json'), JSON.stringify({ ...known, ...left }, null, 2));
    writeFileSync(join(dir, 'events.log'), events);
    writeFileSync(join(dir, 'briefing', 'raw.md'), `# Number ${n}\n\nSay hello to whoever comes.\n`);
  }
}

const memory = (pid, key) =>
  Number(new RegExp(`^${key}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) /
  1024;
const judged = met => (met ? 'met' : 'MISSED');

const project = createProject();
let server = null;
let browser = null;
try {
  await project.dure(['init', '--yes', '--json', '--backend', 'rehearsal']);
  await fill(project);
  server = await serve(project);
  const { pid } = server.child;
  const { url, token } = server;
  const ask = async path => {
    const began = performance.now();
    const answer = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
    const body = await answer.json();
    return { body, took: performance.now() - began };
  };
  const first = await ask('/api/runs');
  const took = [];
  for (let n = 0; n < ASKED; n += 1) {
    took.push((await ask('/api/runs')).took);
    await pause(100);
  }
  console.log(`${first.body.total} runs; the first response took ${first.took.toFixed(0)} ms`);
  console.log(line('GET /api/runs, first page, warm', took));
  console.log(`the goal, under ${GOAL.list_ms} ms, is ${judged(median(took) < GOAL.list_ms)}\n`);

  browser = await startBrowser();
  const page = await browser.newPage();
  await page.goto(await server.linkTo('/'));
  await page.getByRole('heading', { level: 1, name: 'project' }).waitFor();
  await pause(20_000);
  const rests = memory(pid, 'VmRSS');
  console.log(
    `idle server with one page open: ${rests.toFixed(0)} MB; peak: ${memory(pid, 'VmHWM').toFixed(0)} MB`,
  );
  console.log(`the goal, under ${GOAL.rss_mb} MB, is ${judged(rests < GOAL.rss_mb)}\n`);
  const { body, took: long } = await ask('/health/interrupted');
  await ask('/health/interrupted');
  console.log(
    `GET /health/interrupted: ${body.count} runs, ${long.toFixed(0)} ms; at most then: ${memory(pid, 'VmHWM').toFixed(0)} MB`,
  );
  await pause(10_000);
  console.log(`10 s later: ${memory(pid, 'VmRSS').toFixed(0)} MB`);
} finally {
  await browser?.close();
  await server?.end();
  await project.remove();
}
