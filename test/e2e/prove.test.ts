/** `dure prove` and `prove.mjs` in a clone elsewhere that has only git, node and the bundle of a whole run. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Move } from '../../src/formats/cassette.ts';
import { git } from '../helpers/git-repositories.ts';
import { bin } from '../helpers/test-project.ts';
import { builds, cassette, config, flag, refines } from './agent-moves.ts';
import { scratchProject } from './scratch-project.ts';

const refined: Move[] = [
  {
    write: 'briefing/refined.md',
    text: '# Refined\n\n## Acceptance criteria\n- AC-1: greet() gives hello.\n- AC-2: It is short.\n- AC-3 (look): It is friendly.\n',
  },
  ...refines.slice(1),
];
const tests: Move[] = [
  {
    write: 'verifier/tests/greet.test.js',
    text: `import assert from 'node:assert/strict';
import test from 'node:test';
import { greet } from './greet.js';
test('AC-1: greets', () => assert.equal(greet(), 'hello'));
`,
  },
  config('node --test --test-reporter=tap greet.test.js', {
    test_directory: '.',
    not_claimed: { 'AC-2': 'nobody said what is short' },
  }),
  flag('verifier/tests-ready.flag'),
];
const FILES = {
  'package.json': '{"type":"module"}\n',
  'greet.js': "export const greet = () => 'hi';\n",
  'own.test.js': "import { greet } from './greet.js';\nif (greet() === '') process.exit(1);\n",
};
const CHECKS = [{ name: 'test', command: 'node own.test.js', timeout_ms: 600_000 }];

test('dure prove and prove.mjs agree in another clone, and leave nothing behind', async () => {
  const { root, start } = await scratchProject({ files: FILES, config: { global: { checks: CHECKS } } });
  const run = await start(
    cassette({
      refiner: [refined],
      builder: [builds("export const greet = () => 'hello';\n", 'greet.js')],
      'verifier:generate': [tests, tests],
    }),
  );
  expect((await run.drive()).phase).toBe('ready_for_merge');
  const beside = join(root, '..');
  const file = join(beside, 'pack.bundle');
  const node = (cwd: string, args: readonly string[], env: Record<string, string> = {}) => {
    const home = join(beside, 'home');
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HOME: home, GIT_CONFIG_NOSYSTEM: '1', ...env },
    });
    return { status, stdout, stderr };
  };
  await mkdir(join(beside, 'home'));
  const state = join(beside, 'state');
  await mkdir(state);
  const env = { XDG_STATE_HOME: state };
  expect(node(root, [bin, 'bundle', '-o', file], env)).toMatchObject({ status: 0 });

  const clone = join(beside, 'elsewhere', 'clone');
  git(root, 'clone', '--quiet', '--no-local', root, clone);
  const proved = node(clone, [bin, 'prove', file, '--json'], env);
  const one = JSON.parse(proved.stdout);
  expect(one.criteria, proved.stderr).toMatchObject([{ id: 'AC-1' }, { id: 'AC-2' }, { id: 'AC-3' }]);
  expect(one.criteria.map((each: { verdict: string }) => each.verdict)).toEqual([
    'CONFIRMED',
    'NOT CLAIMED',
    'NOT CLAIMED',
  ]);
  expect(one.criteria[0].tests[0]).toMatchObject({ id: 'AC-1: greets' });
  expect(one.criteria[0].tests[0].base[0]).toBe('assert');
  expect(one).toMatchObject({
    checks: [{ name: 'test', verdict: 'CONFIRMED' }],
    sandbox: 'bubblewrap',
    base_is_ancestor_of: 'origin/main',
    behind: 0,
    prover: 'same',
  });

  git(clone, 'fetch', '--quiet', file, `refs/dure/packs/${run.runId}`);
  const script = join(beside, 'prove.mjs');
  await writeFile(script, `${git(clone, 'show', 'FETCH_HEAD:prove.mjs')}\n`);
  const again = node(clone, [script, '--json'], env);
  expect(again.stderr).toContain('This program came with the pack');
  expect(again.status, again.stderr).toBe(proved.status);
  const other = JSON.parse(again.stdout);
  const verdicts = (of: typeof one) =>
    of.criteria.map((each: { id: string; verdict: string; reason: string }) => [
      each.id,
      each.verdict,
      each.reason,
    ]);
  expect(verdicts(other)).toEqual(verdicts(one));
  expect(other.checks).toEqual(one.checks);
  expect(await readdir(join(state, 'dure', 'proofs'))).toEqual([]);
  expect(git(clone, 'status', '--porcelain')).toBe('');

  // Proves the folder of the pack in the project, in which a person has edited a file.
  const { mrp } = run.files;
  await writeFile(join(mrp, 'criteria.json'), `${await readFile(join(mrp, 'criteria.json'), 'utf8')} `);
  const edited = JSON.parse(node(root, [bin, 'prove', mrp, '--json'], env).stdout);
  expect(edited).toMatchObject({ ok: false, error: { code: 'E_PROVE_DIFFERS', exit: 4 } });
});

test('Ctrl-C stops dure prove with exit status 5 and leaves nothing behind', async () => {
  const { root, start } = await scratchProject({ files: FILES });
  const waits: Move[] = [
    { write: 'verifier/tests/wait.sh', text: 'test -e /var/tmp/none || echo ok; echo 1..0\n' },
    config('echo TAP version 13; echo ok 1 - AC-0; echo 1..1; sleep 4'),
    flag('verifier/tests-ready.flag'),
  ];
  const run = await start(cassette({ 'verifier:generate': [waits, waits] }));
  expect((await run.drive()).phase).toBe('ready_for_merge');
  const state = join(root, '..', 'state');
  await mkdir(state);
  const child = spawn(process.execPath, [bin, 'prove', run.runId], {
    cwd: root,
    env: { ...process.env, XDG_STATE_HOME: state },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  let isSignalled = false;
  const ended = new Promise<number | null>(resolve => child.on('close', code => resolve(code)));
  child.stderr.setEncoding('utf8').on('data', chunk => {
    said += chunk;
    if (said.includes('matches its commits') && !isSignalled) isSignalled = child.kill('SIGINT');
  });
  expect(await ended, said).toBe(5);
  expect(await readdir(join(state, 'dure', 'proofs'))).toEqual([]);
});
