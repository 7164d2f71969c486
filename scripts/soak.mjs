/**
 * Keeps a browser open on the overview during hundreds of runs: the memory of the page and the server must not grow
 * with the number of runs. At the end the server is killed, and the page has to recover once the next server has
 * started. Performs `SOAK_RUNS` (500) runs, `SOAK_AT_ONCE` (4) at a time; every agent, test and merge decision is real.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { createProject, serve, waitUntil } from './bench/support/scratch-project.mjs';

const RUNS = Number(process.env.SOAK_RUNS ?? 500);
const AT_ONCE = Number(process.env.SOAK_AT_ONCE ?? 4);
const EVERY = Math.max(10, Math.round(RUNS / 10));
/** Maximum growth between the first measurement, when every list is full, and the last. */
const MAX_GROWTH = { page_heap_mb: 3, nodes: 600, listeners: 60, server_rss_mb: 50, server_files: 20 };

const flag = path => ({ write: path, text: 'done\n' });
const cassette = {
  title: 'a soak',
  parts: {
    refiner: [
      [
        { write: 'briefing/refined.md', text: '# Refined\n' },
        { json: 'briefing/clarifications.json', value: [] },
        { write: 'briefing/log.md', text: 'Nothing.\n' },
        { spend: 0.01 },
        flag('briefing/done.flag'),
      ],
    ],
    builder: [
      [
        { say: 'I greet.' },
        { write: 'builder/output/greeting.txt', text: 'hello\n' },
        { write: 'builder/log.md', text: 'Wrote it.\n' },
        flag('builder/done.flag'),
      ],
    ],
    'verifier:generate': [
      [
        { write: 'verifier/tests/greets.sh', text: 'echo TAP version 13; echo 1..1; echo "ok 1 - greets"\n' },
        {
          json: 'verifier/test-config.json',
          value: {
            test_framework: 'custom',
            test_command: 'sh verifier/tests/greets.sh',
            test_directory: 'verifier/tests',
            timeout_ms: 30_000,
            coverage: false,
          },
        },
        flag('verifier/tests-ready.flag'),
      ],
    ],
    'verifier:analyse': [
      [
        { json: 'verifier/results.json', value: { summary: 'read' } },
        { write: 'verifier/log.md', text: 'Read.\n' },
        flag('verifier/done.flag'),
      ],
    ],
    gatekeeper: [
      [
        { write: 'gatekeeper/review.md', text: '# Review\n\nFine.\n' },
        { write: 'gatekeeper/log.md', text: 'Looked.\n' },
        { json: 'gatekeeper/verdict.json', value: { verdict: 'PASS', reason: 'It greets.' } },
      ],
    ],
  },
};

async function ask({ url, token }, method, path, body) {
  const answer = await fetch(`${url}/api${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const said = await answer.json();
  if (!answer.ok) throw new Error(`${method} ${path}: ${JSON.stringify(said)}`);
  return said;
}

/** Takes a run from its briefing to its approval, which keeps the branch and does not touch the working tree. */
async function oneRun(project, server, title) {
  const args = ['start', title, '--launcher', 'process', '--detach', '--no-browser', '--json'];
  const { run_id } = JSON.parse(await project.dure(args));
  const ready = async () => {
    const run = await ask(server, 'GET', `/runs/${run_id}`);
    if (['failed', 'stopped', 'waiting_human'].includes(run.phase))
      throw new Error(`${run_id} is ${run.phase}: ${run.reason ?? run.problem}`);
    return run.phase === 'ready_for_merge' && run;
  };
  const { mrp } = await waitUntil(`${run_id} ready`, ready, { within: 300_000, every: 300 });
  await ask(server, 'POST', `/runs/${run_id}/approve`, { tree: mrp.tree, how: 'branch' });
}

async function measure(cdp, { child }) {
  await cdp.send('HeapProfiler.collectGarbage');
  const { metrics } = await cdp.send('Performance.getMetrics');
  const metric = name => metrics.find(one => one.name === name).value;
  const rss = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))[1];
  return {
    page_heap_mb: Number((metric('JSHeapUsedSize') / 2 ** 20).toFixed(1)),
    nodes: metric('Nodes'),
    listeners: metric('JSEventListeners'),
    server_rss_mb: Math.round(Number(rss) / 1024),
    server_files: readdirSync(`/proc/${child.pid}/fd`).length,
  };
}

const project = createProject();
let server = null;
let browser = null;
try {
  await project.dure(['init', '--yes', '--json', '--backend', 'rehearsal']);
  writeFileSync(join(project.root, '.dure/rehearsal.cassette.json'), JSON.stringify(cassette));
  server = await serve(project);
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  const page = await browser.newPage();
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable');
  await page.goto(await server.linkTo('/'));
  await page.getByRole('heading', { level: 1, name: 'project' }).waitFor();
  await page.evaluate('window.untouched = true');

  const startedAt = Date.now();
  const measures = [];
  let started = 0;
  let finished = 0;
  for (let next = EVERY; next <= RUNS; next += EVERY) {
    const stop = Math.min(next, RUNS);
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (started < stop) {
          started += 1;
          await oneRun(project, server, `Greet number ${started}`);
          finished += 1;
        }
      }),
    );
    // The server keeps following idle runs for a while; wait until it no longer does.
    await pause(20_000);
    const now = await measure(cdp, server);
    measures.push(now);
    console.log(
      `${String(finished).padStart(4)} runs, ${Math.round((Date.now() - startedAt) / 1000)} s: ${JSON.stringify(now)}`,
    );
  }
  const withinLimits = Object.entries(MAX_GROWTH).map(([what, max]) => {
    const more = measures.at(-1)[what] - measures[0][what];
    console.log(
      `${what}: ${more > 0 ? '+' : ''}${Number(more.toFixed(1))} between ${EVERY} and ${finished} runs; the bound is +${max}`,
    );
    return more <= max;
  });

  await server.end('SIGKILL');
  await page.getByText('Not connected.').waitFor();
  server = await serve(project);
  await oneRun(project, server, 'Greet once more');
  await page.getByRole('link', { name: 'Greet once more' }).waitFor({ timeout: 60_000 });
  await page.getByText('Not connected.').waitFor({ state: 'detached' });
  const right = await page.evaluate('window.untouched === true');
  console.log(
    `after the server was killed and restarted, the page is correct again${right ? ' without a reload' : ', but it was reloaded'}`,
  );
  if (!right || withinLimits.includes(false)) process.exitCode = 1;
} finally {
  await browser?.close();
  await server?.end();
  await project.remove();
}
