/**
 * Measures the frames of a run's page while its agent prints 20 MB a second: how many of them, after the
 * first second, come within 33 ms (two frames) of the previous one. The lines are appended directly to the
 * log that the agent's runner writes; everything after that is real: the leader, a socket, and Chromium.
 */
import { appendFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startBrowser } from './support/browser.mjs';
import { refines } from './support/cassette-moves.mjs';
import { createProject, serve, waitUntil } from './support/scratch-project.mjs';
import { line } from './support/statistics.mjs';

const SECONDS = 10;
/** Two frames at 60 Hz (33.3 ms), rounded up. */
const FRAME_MS = 33.4;
const GOAL = 0.95;
const MB_PER_SECOND = 20;

/** Appends numbered lines to a file until stopped, never faster than `MB_PER_SECOND`, even if the timer is late. */
function print(file) {
  const started = Date.now();
  let printed = 0;
  const timer = setInterval(() => {
    const due = (Date.now() - started) * MB_PER_SECOND * 1000;
    let text = '';
    while (printed + text.length < due && text.length < 1_000_000)
      text += `line ${printed + text.length} ${'x'.repeat(80)}\n`;
    printed += text.length;
    appendFileSync(file, text);
  }, 5);
  return () => clearInterval(timer);
}

const cassette = {
  title: 'a bench',
  parts: {
    refiner: [refines],
    builder: [[{ print: 'begun\n' }, { wait: 600_000 }]],
  },
};

/** Runs in the page, and records the time of each frame. */
const watcher = `(() => {
  window.frames = [];
  const next = time => { window.frames.push(time); requestAnimationFrame(next); };
  requestAnimationFrame(next);
})()`;

const project = createProject();
let server = null;
let browser = null;
let stop = () => {};
try {
  await project.dure(['init', '--yes', '--json', '--backend', 'rehearsal']);
  writeFileSync(join(project.root, '.dure/rehearsal.cassette.json'), JSON.stringify(cassette));
  server = await serve(project);
  const args = ['start', 'A bench.', '--launcher', 'process', '--detach', '--no-browser', '--json'];
  const { run_id } = JSON.parse(await project.dure(args));
  browser = await startBrowser();
  const page = await browser.newPage();
  await page.goto(await server.linkTo(`/run/${run_id}`));
  const shows = text => page.evaluate(`document.body.innerText.includes('${text}')`);
  await waitUntil('the agent on the page', () => shows('begun'), { within: 60_000, every: 50 });
  const logs = join(project.root, '.dure/runs', run_id, 'logs');
  const log = readdirSync(logs).find(name => /^builder\.\d+\.jsonl$/.test(name));
  stop = print(join(logs, log));
  await waitUntil('output on the page', () => shows('line '), { within: 60_000, every: 50 });
  await page.waitForTimeout(1000);
  await page.evaluate(watcher);
  await page.waitForTimeout(1000 * SECONDS);
  const times = await page.evaluate('window.frames');
  const last = () =>
    page.evaluate(`Number([...document.body.innerText.matchAll(/line (\\d+) x/g)].at(-1)?.[1])`);
  const [before, since] = [await last(), Date.now()];
  await page.waitForTimeout(2000);
  const rate = ((await last()) - before) / 1000 / (Date.now() - since);
  const frames = times.slice(1).map((time, n) => time - times[n]);
  const inTime = frames.filter(ms => ms <= FRAME_MS).length / frames.length;
  console.log(line('from one frame to the next', frames));
  console.log(`the page follows ${rate.toFixed(1)} MB/s`);
  console.log(
    `${(100 * inTime).toFixed(1)}% of the frames within ${FRAME_MS} ms: the goal, ${100 * GOAL}%, is ${inTime >= GOAL ? 'met' : 'MISSED'}`,
  );
  await project.dure(['stop', run_id, '--json'], [0, 5]);
} finally {
  stop();
  await browser?.close();
  await server?.end();
  await project.remove();
}
