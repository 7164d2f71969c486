/**
 * Measures the review page in a browser with a change of 65 files and 4,000 lines, and with one of 100 files and 50,000
 * lines: the time until it is shown, the longest task, the number of DOM nodes, and the time that a keystroke takes in
 * the field for requested changes. The packs are real: a rehearsed Builder writes the files.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startBrowser } from './support/browser.mjs';
import { flag, refines } from './support/cassette-moves.mjs';
import { createProject, serve, waitUntil } from './support/scratch-project.mjs';
import { line, median } from './support/statistics.mjs';

const TIMES = Number(process.env.BENCH_RUNS ?? 5);
const KEYS = 20;

/** Returns a program that writes `files` source files of `lines` lines; every `every`th line contains `salt`. */
const writer = (folder, files, lines, every, salt) => `
const { mkdirSync, writeFileSync } = require('node:fs');
for (let f = 0; f < ${files}; f += 1) {
  const dir = ${JSON.stringify(folder)} + '/src/part-' + (f % 7);
  mkdirSync(dir, { recursive: true });
  const text = Array.from({ length: ${lines} }, (_, n) => n % ${every} === 0
    ? 'export const value' + n + ' = (left, right) => left * ' + ${salt} + ' + right; // line ' + n
    : 'const plain' + n + ' = { name: "plain", number: ' + n + ' };').join('\\n');
  writeFileSync(dir + '/file-' + f + '.js', text + '\\n');
}`;

const CHANGES = [
  // A changed line counts twice, as a deleted and an added one.
  { name: '65 files, 4,000 lines', before: [65, 310, 10], after: [65, 310, 10], shownMs: 1000, keyMs: 30 },
  { name: '100 files, 50,000 lines', before: [0, 0, 1], after: [100, 500, 3], shownMs: 2000, keyMs: 30 },
];
const LONGEST_TASK_MS = 200;
const NODES = 10_000;

const cassette = source => ({
  title: 'a bench',
  parts: {
    refiner: [refines],
    builder: [
      [
        { write: 'builder/output/write.cjs', text: source },
        { sh: 'cd builder/output && node write.cjs && rm write.cjs' },
        { write: 'builder/log.md', text: 'Written.\n' },
        flag('builder/done.flag'),
      ],
    ],
    gatekeeper: [
      [
        { write: 'gatekeeper/review.md', text: '# Review\n\nA bench.\n' },
        {
          json: 'gatekeeper/verdict.json',
          value: { verdict: 'PASS', reason: 'A bench.', timestamp: '{{now}}' },
        },
        { write: 'gatekeeper/log.md', text: 'PASS.\n' },
        flag('gatekeeper/done.flag'),
      ],
    ],
    'verifier:generate': [
      [
        {
          write: 'verifier/tests/one.test.mjs',
          text: "import { test } from 'node:test';\ntest('one', () => {});\n",
        },
        {
          json: 'verifier/test-config.json',
          value: {
            test_framework: 'custom',
            test_command: 'node --test --test-reporter=tap one.test.mjs',
            test_directory: '.',
            timeout_ms: 60_000,
            coverage: false,
            created_at: '{{now}}',
          },
        },
        flag('verifier/tests-ready.flag'),
      ],
    ],
    'verifier:analyse': [
      [
        { json: 'verifier/results.json', value: { summary: 'One test.', failures: [], edge_cases: [] } },
        { write: 'verifier/log.md', text: 'One test.\n' },
        flag('verifier/done.flag'),
      ],
    ],
  },
});

/**
 * Runs in the page, and records tasks longer than 50 ms, when the first line of the diff was painted, and how long each
 * keystroke took.
 */
const watcher = `
  window.tasks = [0];
  new PerformanceObserver(list => window.tasks.push(...list.getEntries().map(entry => entry.duration)))
    .observe({ type: 'longtask', buffered: true });
  window.shown = null;
  window.keys = [];
  const painted = then => requestAnimationFrame(() => setTimeout(then));
  new MutationObserver((_, observer) => {
    if (!document.querySelector('.diff td.text')) return;
    observer.disconnect();
    painted(() => { window.shown = performance.now(); });
  }).observe(document, { childList: true, subtree: true });
  addEventListener('keydown', event => painted(() => window.keys.push(performance.now() - event.timeStamp)), true);
`;

for (const change of CHANGES) {
  const project = createProject();
  let [server, browser] = [null, null];
  try {
    const here = { cwd: project.root, env: project.env };
    execFileSync(process.execPath, ['-e', writer('.', ...change.before, 1)], here);
    execFileSync('git', ['add', '--all'], here);
    execFileSync(
      'git',
      ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', 'commit', '-qm', 'Code', '--allow-empty'],
      here,
    );
    await project.dure(['init', '--yes', '--json', '--backend', 'rehearsal']);
    const file = join(project.root, '.dure/rehearsal.cassette.json');
    writeFileSync(file, JSON.stringify(cassette(writer('.', ...change.after, 2))));
    server = await serve(project);
    const args = ['start', 'A bench.', '--launcher', 'process', '--yes', '--no-browser', '--json'];
    const { run_id } = JSON.parse(await project.dure(args));
    browser = await startBrowser();
    const seen = { shown: [], task: [], nodes: [], key: [] };
    for (let round = 0; round < TIMES; round += 1) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
      const page = await context.newPage();
      await page.goto(await server.linkTo('/history'));
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.addInitScript({ content: watcher });
      await page.goto(`${server.url}/run/${run_id}/mrp`);
      await waitUntil('the diff', () => page.evaluate('window.shown !== null'));
      await page.waitForTimeout(1500);
      seen.shown.push(await page.evaluate('window.shown'));
      seen.nodes.push(await page.evaluate('document.querySelectorAll("*").length'));
      await page.locator('#feedback').focus();
      await page.keyboard.type('x'.repeat(KEYS), { delay: 60 });
      await waitUntil('the keystrokes', () => page.evaluate(`window.keys.length >= ${KEYS}`));
      seen.key.push(...(await page.evaluate('window.keys')));
      seen.task.push(await page.evaluate('Math.max(...window.tasks)'));
      await context.close();
    }
    console.log(change.name);
    console.log(line('shown', seen.shown));
    console.log(line('the longest task', seen.task));
    console.log(line('a keystroke until it is painted', seen.key));
    console.log(`nodes: ${Math.max(...seen.nodes)}`);
    const met =
      median(seen.shown) < change.shownMs &&
      median(seen.key) < change.keyMs &&
      median(seen.task) < LONGEST_TASK_MS &&
      Math.max(...seen.nodes) < NODES;
    console.log(
      `the goals, shown in ${change.shownMs} ms, a key in ${change.keyMs} ms, no task over ${LONGEST_TASK_MS} ms, under ${NODES} nodes, are ${met ? 'met' : 'MISSED'}\n`,
    );
    await project.dure(['stop', run_id, '--json'], [0, 5]);
  } finally {
    await browser?.close();
    await server?.end();
    await project.remove();
  }
}
