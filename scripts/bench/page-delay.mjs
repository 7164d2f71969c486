/**
 * Measures how long a printed line and a changed worktree file take to get from the agent to the page in a browser.
 * Both contain a timestamp; the page records the delay in the frame that shows them. Everything is real: a rehearsed
 * agent, its runner, the leader, a socket, and Chromium.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startBrowser } from './support/browser.mjs';
import { refines } from './support/cassette-moves.mjs';
import { createProject, serve, waitUntil } from './support/scratch-project.mjs';
import { line, median } from './support/statistics.mjs';

const TIMES = Number(process.env.BENCH_RUNS ?? 50);
const GOAL_MS = 150;

/** The text and the file name contain the time: `{{now}}` is replaced when the move is played. */
const moves = Array.from({ length: TIMES }, () => [
  { print: 'printed-{{now}}\n' },
  { wait: 400 },
  { write: 'builder/output/src/changed-{{now}}', text: 'x' },
  { wait: 400 },
]).flat();
const cassette = {
  title: 'a bench',
  parts: {
    refiner: [refines],
    builder: [[{ wait: 5000 }, ...moves, { wait: 600_000 }]],
  },
};

/** Runs in the page, and records how long after its time each timestamp is first shown. */
const watcher = `(() => {
  window.seen = {};
  const note = text => {
    for (const [stamp, kind, time] of text.matchAll(/(printed|changed)-(\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z)/g)) {
      if (stamp in window.seen) continue;
      window.seen[stamp] = null;
      requestAnimationFrame(() => { window.seen[stamp] = Date.now() - Date.parse(time); });
    }
  };
  new MutationObserver(changes => {
    for (const change of changes) for (const node of change.addedNodes) note(node.textContent);
  }).observe(document.body, { childList: true, subtree: true });
})()`;

const project = createProject();
let server = null;
let browser = null;
try {
  await project.dure(['init', '--yes', '--json', '--backend', 'rehearsal']);
  writeFileSync(join(project.root, '.dure/rehearsal.cassette.json'), JSON.stringify(cassette));
  server = await serve(project);
  const args = ['start', 'A bench.', '--launcher', 'process', '--detach', '--no-browser', '--json'];
  const { run_id } = JSON.parse(await project.dure(args));
  browser = await startBrowser();
  const page = await browser.newPage();
  await page.addInitScript({ content: `addEventListener('DOMContentLoaded', () => ${watcher})` });
  await page.goto(await server.linkTo(`/run/${run_id}`));
  const seen = async kind => {
    const all = Object.entries(await page.evaluate('window.seen'));
    return all.filter(([stamp, ms]) => stamp.startsWith(kind) && ms !== null).map(([, ms]) => ms);
  };
  const enough = async () => (await seen('changed')).length >= TIMES;
  await waitUntil('everything on the page', enough, { within: 60_000 + TIMES * 2500, every: 1000 });
  for (const [kind, what] of [
    ['printed', 'a line that the agent prints, on the page'],
    ['changed', 'a file that it changes, on the page'],
  ]) {
    const took = await seen(kind);
    console.log(line(what, took));
    console.log(`the goal, under ${GOAL_MS} ms, is ${median(took) < GOAL_MS ? 'met' : 'MISSED'}\n`);
  }
  await project.dure(['stop', run_id, '--json'], [0, 5]);
} finally {
  await browser?.close();
  await server?.end();
  await project.remove();
}
