/**
 * Measures how long the server leaves a request unanswered while the plugin of one run sleeps for 6 s in `prompt` and
 * another run is active.
 */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createProject, serve, waitUntil } from './support/scratch-project.mjs';

const PLUGIN = `
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
let slow;
export default async () => ({ name: 'slow', roles: [{
  name: 'slow',
  steps: [{ name: 'slow', before: 'refine', outputs: [{ file: 'slow/report.md', about: 'nothing' }] }],
  async prompt({ run }) {
    slow ??= run.run_id;
    if (slow !== run.run_id) return 'Do nothing.';
    writeFileSync(join(import.meta.dirname, 'begun'), '');
    await pause(6000);
    writeFileSync(join(import.meta.dirname, 'ended'), '');
    return 'Do nothing.';
  } }] });
`;

const bench = createProject();
try {
  const plugin = join(bench.root, '..', 'dure-slow');
  mkdirSync(plugin);
  const manifest = {
    name: 'dure-slow',
    version: '1.0.0',
    type: 'module',
    oclif: { hooks: { dure: './index.js' } },
  };
  writeFileSync(join(plugin, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(plugin, 'index.js'), PLUGIN);
  await bench.dure(['init', '--yes', '--backend', 'rehearsal']);
  await bench.dure(['plugins', 'link', '--no-install', plugin]);
  // `link` checked the plugin, and called its functions once to do so.
  for (const name of ['begun', 'ended']) rmSync(join(plugin, name), { force: true });
  const server = await serve(bench);
  const start = name => bench.dure(['start', name, '--launcher', 'process', '--no-browser'], [0, 3]);
  const first = start('one');
  await waitUntil('the plugin is asked', () => existsSync(join(plugin, 'begun')));
  const second = start('two');

  let longest = 0;
  let answers = 0;
  while (!existsSync(join(plugin, 'ended'))) {
    const asked = performance.now();
    await (await fetch(`${server.url}/health/live`)).text();
    longest = Math.max(longest, performance.now() - asked);
    answers += 1;
    await pause(5);
  }
  console.log(
    `${'longest wait for /health/live'.padEnd(44)} ${longest.toFixed(1).padStart(8)} ms   (${answers} answers in 6 s)`,
  );
  await Promise.all([first, second]);
  await server.end();
} finally {
  await bench.remove();
}
