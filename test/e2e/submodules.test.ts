/** A whole run in a project whose tests use files of a submodule. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checksOutputFile } from '../../src/formats/check-results.ts';
import { load } from '../../src/formats/read-and-write-files.ts';
import { testOutputFile } from '../../src/formats/test-config-and-results.ts';
import { git } from '../helpers/git-repositories.ts';
import { builds, cassette, config, flag } from './agent-moves.ts';
import { type ScratchProject, scratchProject } from './scratch-project.ts';

/** A test that compares a file of the project with a greeting that only the submodule contains. */
const comparing = (file: string): string => `const test = require('node:test');
const assert = require('node:assert');
const { readFileSync } = require('node:fs');
const { word } = require('../vendor/words.js');
test('${file} greets', () => assert.strictEqual(readFileSync('${file}', 'utf8').trim(), word));
`;

/** Its submodule has an origin that no longer exists. */
async function withSubmodule(): Promise<ScratchProject> {
  const vendor = await scratchProject({ name: 'vendor', files: { 'words.js': "exports.word = 'hello';\n" } });
  const project = await scratchProject({
    files: {
      'package.json': '{ "name": "p", "scripts": { "test": "node --test test/" } }\n',
      'old.txt': 'hello\n',
      'test/old.test.js': comparing('old.txt'),
    },
    config: { global: { checks: [{ name: 'test', command: 'npm test' }] } },
  });
  const origin = join(vendor.root, '.git');
  git(project.root, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', origin, 'vendor');
  git(project.root, 'commit', '--quiet', '-m', 'vendor');
  git(project.root, 'config', 'submodule.vendor.url', join(vendor.root, 'moved'));
  return project;
}

test("the project's tests and the Verifier's tests use a submodule, and the result is merged", async () => {
  const { root, start } = await withSubmodule();
  const submodule = git(root, 'rev-parse', 'HEAD:vendor');
  const run = await start(
    cassette({
      builder: [builds('hello\n')],
      'verifier:generate': [
        [
          { write: 'verifier/tests/test/greeting.test.js', text: comparing('greeting.txt') },
          config('node --test test/greeting.test.js'),
          flag('verifier/tests-ready.flag'),
        ],
      ],
    }),
  );
  expect(await run.drive()).toMatchObject({ phase: 'ready_for_merge', verdict: { verdict: 'PASS' } });
  expect(await load(testOutputFile, run.files.testOutput)).toMatchObject({
    machine: 'pass',
    exit_code: 0,
  });
  expect(await load(checksOutputFile, run.files.checks)).toMatchObject({
    checks: [{ name: 'test', status: 'pass', counts: { passed: 1, failed: 0 } }],
  });

  expect((await run.approve({ tests: 'land' })).phase).toBe('completed');
  expect(git(root, 'status', '--porcelain', '--', '.', ':!.dure')).toBe('');
  expect(git(root, 'rev-parse', 'HEAD:vendor')).toBe(submodule);
  expect(git(root, 'diff', '--name-only', 'HEAD^', 'HEAD').split('\n')).toEqual([
    'greeting.txt',
    'test/greeting.test.js',
  ]);
  expect(await readFile(join(root, 'vendor/words.js'), 'utf8')).toContain('hello');
});

test('a result that breaks a test which uses the submodule does not pass', async () => {
  const { root, start } = await withSubmodule();
  const run = await start(
    cassette({ builder: [[{ write: 'builder/output/old.txt', text: 'bye\n' }, ...builds('hello\n')]] }),
  );
  const end = await run.drive();
  expect(end.phase).toBe('waiting_human');
  expect(end.checks?.checks[0]?.regressions).toEqual([{ test: 'old.txt greets', how: 'fails' }]);
  expect(git(root, 'status', '--porcelain', '--', '.', ':!.dure')).toBe('');
});
