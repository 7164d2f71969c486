/**
 * Measures how many seconds the sandbox and the project's own checks add to a run, from its start to its pack.
 * Alternates between the variants, each a whole rehearsed run in one sample project, and compares the medians.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createProject } from './support/scratch-project.mjs';
import { line, median } from './support/statistics.mjs';

const ROUNDS = Number(process.env.BENCH_RUNS ?? 3);
const CHECKS = ['test', 'lint', 'types'].map(name => ({ name, command: `npm run ${name}` }));

const VARIANTS = {
  'without a sandbox, no checks': { checks: [], env: { DURE_SANDBOX: 'none' } },
  'in a sandbox, no checks': { checks: [], env: {} },
  'in a sandbox, one check': { checks: CHECKS.slice(0, 1), env: {} },
  'in a sandbox, three checks': { checks: CHECKS, env: {} },
};
const [BARE, CONFINED, ONE, THREE] = Object.keys(VARIANTS);

const project = createProject({
  files: {
    'package.json': JSON.stringify({
      name: 'sample',
      private: true,
      scripts: { test: 'node --test test/', lint: 'node --check sum.js', types: 'node --check sum.js' },
      dependencies: { vendored: 'file:vendored' },
    }),
    'vendored/package.json': '{ "name": "vendored", "version": "1.0.0" }',
    'sum.js': 'exports.sum = (a, b) => a + b;\n',
    'test/sum.test.js': `const test = require('node:test');
test('sum adds', () => require('node:assert').strictEqual(require('../sum.js').sum(1, 2), 3));
`,
  },
});

/** Performs a run, and returns the milliseconds from its start to its pack. */
async function run({ checks, env }) {
  const file = join(project.root, '.dure/config/global.json');
  const config = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...config, checks, workspace: { setup: 'npm install' } }));
  // The commands in the config differ from those of the previous run, so they have to be accepted again.
  const args = ['start', 'Say hello.', '--accept-commands', '--launcher', 'process', '--yes'];
  const { run_id } = JSON.parse(await project.dure([...args, '--no-browser', '--json'], [0], env));
  const log = readFileSync(join(project.root, '.dure/runs', run_id, 'events.log'), 'utf8');
  const at = type => Date.parse(log.match(new RegExp(`^(\\S+) \\[\\w+\\] ${type} `, 'm'))[1]);
  const took = at('mrp.created') - at('run.started');
  await project.dure(['stop', run_id, '--json'], [0, 5]);
  return took;
}

try {
  await project.dure(['init', '--yes', '--json', '--backend', 'rehearsal']);
  // The first run prepares the packages for all others.
  await run(VARIANTS[CONFINED]);
  const took = Object.fromEntries(Object.keys(VARIANTS).map(name => [name, []]));
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [name, variant] of Object.entries(VARIANTS)) took[name].push(await run(variant));
  for (const name of Object.keys(VARIANTS)) console.log(line(name, took[name]));
  const more = (name, than) => ((median(took[name]) - median(took[than])) / 1000).toFixed(1);
  const each = (median(took[THREE]) - median(took[ONE])) / 2000;
  console.log(`the sandbox adds ${more(CONFINED, BARE)} s to a run`);
  console.log(`the first check adds ${more(ONE, CONFINED)} s, each further one ${each.toFixed(1)} s`);
} finally {
  await project.remove();
}
