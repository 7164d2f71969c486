/** The proof runs in a checkout outside the project, so files in the user's working tree do not affect it. */
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { runFiles } from '../../src/formats/layout.ts';
import { readFormat } from '../../src/formats/read-and-write-files.ts';
import { testOutputFile } from '../../src/formats/test-config-and-results.ts';
import { proveLaunch } from '../../src/proof/run-proof.ts';
import { project } from './sealed-project.ts';

const NODE_TEST = 'node --test --test-reporter=tap';
const sum = (sign: string) => `export const sum = (a, b) => a ${sign} b;\n`;
const testOf = (from: string) => `import test from 'node:test';
import assert from 'node:assert/strict';
import { sum } from '${from}';
test('adds', () => assert.equal(sum(2, 2), 4));
`;
const PACKAGE = { 'package.json': '{ "name": "sums", "type": "module", "exports": "./src/sum.js" }\n' };

describe("the Verifier's tests", () => {
  test("are placed in the checkout next to the project's", async () => {
    const { prove } = await project({ ...PACKAGE, 'src/sum.js': sum('+'), 'test/old.test.js': '' });
    const output = await prove(
      { 'src/sum.js': sum('+') },
      { 'test/new.test.js': testOf('../src/sum.js'), 'test/fixtures/a.txt': 'a\n' },
      `${NODE_TEST} test/new.test.js`,
    );
    expect(output).toMatchObject({ machine: 'pass', laid_in: ['test/fixtures/a.txt', 'test/new.test.js'] });
  });

  test('can import the package by its name', async () => {
    const { prove } = await project({ ...PACKAGE, 'src/sum.js': sum('+') });
    const tests = { 'test/new.test.js': testOf('sums') };
    expect((await prove({}, tests, `${NODE_TEST} test/new.test.js`)).machine).toBe('pass');
    expect((await prove({ 'src/sum.js': sum('-') }, tests, `${NODE_TEST} test/new.test.js`)).machine).toBe(
      'fail',
    );
  });

  test('run in workspace.directory, with paths relative to the root of the repository', async () => {
    const { prove } = await project({
      'packages/a/package.json': '{"type":"module"}',
      'packages/a/sum.js': sum('+'),
    });
    const output = await prove(
      { 'packages/a/sum.js': sum('+') },
      { 'packages/a/test/new.test.js': testOf('../sum.js') },
      `${NODE_TEST} test/new.test.js`,
      { directory: 'packages/a' },
    );
    expect(output.machine).toBe('pass');
  });

  test('yield the coverage of changed lines from the report that their command writes', async () => {
    const { prove } = await project({
      'packages/a/package.json': '{"type":"module"}',
      'packages/a/old.js': Array.from({ length: 50 }, (_, n) => `export const f${n} = () => ${n};\n`).join(
        '',
      ),
      'packages/a/sum.js': sum('+'),
    });
    const changed = `${sum('+')}export function less(a, b) {\n  return a - b;\n}\n`;
    const command = `mkdir -p coverage && node --test --experimental-test-coverage --test-reporter=tap --test-reporter-destination=stdout --test-reporter=lcov --test-reporter-destination=coverage/lcov.info test/new.test.js`;
    const output = await prove(
      { 'packages/a/sum.js': changed, 'packages/a/unused.js': sum('*') },
      { 'packages/a/test/new.test.js': `import '../old.js';\n${testOf('../sum.js')}` },
      command,
      { directory: 'packages/a' },
    );
    // Of the three new lines, the body and the end of the function did not run.
    expect(output).toMatchObject({ machine: 'pass', changed_coverage: 33.33 });
    expect(output.unmeasured).toEqual(['packages/a/unused.js']);
  });

  test('never overwrite a file in the result', async () => {
    const { job } = await project({ ...PACKAGE, 'test/old.test.js': 'old' });
    const of = await job({}, { 'test/old.test.js': 'new' }, 'true');
    await expect(proveLaunch(of)).rejects.toMatchObject({ code: 'E_TESTS_IN_THE_WAY' });
  });

  test('find builder/output and verifier/tests if the tests were written for the earlier layout', async () => {
    const { prove } = await project({ ...PACKAGE, 'src/sum.js': sum('+') });
    const output = await prove(
      {},
      { 'new.test.mjs': testOf('../../builder/output/src/sum.js') },
      `${NODE_TEST} verifier/tests/new.test.mjs`,
    );
    expect(output.machine).toBe('pass');
  });

  test('are placed in only one folder if they were written for the current layout, because some runners match part of a path', async () => {
    const { prove } = await project(PACKAGE);
    const output = await prove({}, { 'test/new.test.mjs': '' }, 'find . -name new.test.mjs');
    expect(output.stdout).toBe('./test/new.test.mjs\n');
  });

  test('do not affect a project that itself uses the names builder/output and verifier', async () => {
    const { prove } = await project({ 'builder/output': 'a file\n', 'verifier/keep': 'a file\n' });
    const output = await prove({}, {}, 'cat builder/output verifier/keep; ls verifier/tests');
    expect(output.stdout).toBe('a file\na file\n');
  });
});

describe("the user's working tree", () => {
  test('provides no package that is a workspace link to the source in this working tree', async () => {
    const { root, prove } = await project({
      'package.json': '{ "type": "module" }',
      'packages/sums/package.json': PACKAGE['package.json'],
      'packages/sums/src/sum.js': sum('+'),
    });
    await mkdir(join(root, 'node_modules'));
    await symlink('../packages/sums', join(root, 'node_modules', 'sums'));
    const tests = { 'test/new.test.js': testOf('sums') };
    const set = { setup: 'mkdir node_modules && ln -s ../packages/sums node_modules/sums' };
    const broken = { 'packages/sums/src/sum.js': sum('-') };
    expect((await prove(broken, tests, `${NODE_TEST} test/new.test.js`)).machine).toBe('fail');
    expect((await prove(broken, tests, `${NODE_TEST} test/new.test.js`, set)).failures).toEqual(['adds']);
    expect((await prove({}, tests, `${NODE_TEST} test/new.test.js`, set)).machine).toBe('pass');
  });

  test('provides no configuration and no uncommitted edit', async () => {
    const { write, prove } = await project({ ...PACKAGE, 'src/sum.js': sum('-') });
    await write({ 'src/sum.js': sum('+'), 'jest.config.js': 'throw new Error("read")\n' });
    const tests = { 'test/new.test.js': testOf('../src/sum.js') };
    expect((await prove({}, tests, `${NODE_TEST} test/new.test.js`)).failures).toEqual(['adds']);
    const up = 'until test -e jest.config.js || test "$PWD" = /; do cd ..; done; test ! -e jest.config.js';
    expect((await prove({}, {}, up)).exit_code).toBe(0);
  });

  test('provides no program, even if its folder is on PATH', async () => {
    const { root, write, job } = await project({});
    const lie = '#!/bin/sh\necho lie\n';
    await write({
      'node_modules/.bin/tests': lie,
      '.venv/bin/tests': lie,
      '../node_modules/.bin/tests': lie,
    });
    for (const bin of ['node_modules/.bin', '.venv/bin', '../node_modules/.bin']) {
      await chmod(join(root, bin, 'tests'), 0o755);
      const of = await job({}, {}, 'tests');
      const env = { ...process.env, PATH: `${join(root, bin)}:${process.env['PATH']}` };
      expect((await proveLaunch({ ...of, env })).exit_code, bin).toBe(127);
    }
  });

  test('provides no virtual environment that contains an editable install of the project', async () => {
    const { root, write, job } = await project({});
    const venv = join(root, '..', 'venv');
    await write({
      '../venv/pyvenv.cfg': 'home = /usr/bin\n',
      '../venv/bin/tests': '#!/bin/sh\necho lie\n',
      '../venv/lib/python3.11/site-packages/project.pth': `${root}/src\n`,
    });
    await chmod(join(venv, 'bin', 'tests'), 0o755);
    const env = { ...process.env, PATH: `${join(venv, 'bin')}:${process.env['PATH']}` };
    expect((await proveLaunch({ ...(await job({}, {}, 'tests')), env })).exit_code).toBe(127);
    await write({ '../venv/lib/python3.11/site-packages/project.pth': '/somewhere/else\n' });
    expect((await proveLaunch({ ...(await job({}, {}, 'tests')), env })).stdout).toBe('lie\n');
  });

  test('cannot be reached through a link in the result', async () => {
    const { root, git, job } = await project({ 'secret.txt': 'secret\n' });
    await symlink(join(root, 'secret.txt'), join(root, 'link'));
    git('add', 'link');
    git('commit', '-q', '-m', 'link');
    await expect(proveLaunch(await job({}, {}, 'cat link'))).rejects.toMatchObject({
      code: 'E_LINK_INTO_CHECKOUT',
    });
  });

  test('provides the ignored files that workspace.copy names, and no others', async () => {
    const { write, prove } = await project({ '.gitignore': '.dure/\n.env*\n' });
    await write({ '.env.test': 'KEY=1\n', '.env': 'SECRET=1\n' });
    const output = await prove({}, {}, 'cat .env.test; ls -A', {
      copy: ['.env.test', 'missing', '../outside'],
    });
    expect(output.stdout).toBe('KEY=1\n.env.test\n.git\n.gitignore\n');
  });
});

describe('a checkout', () => {
  test("is a git repository with the result as its only commit, and has the project's name", async () => {
    const { prove } = await project({ 'a.txt': 'a\n' });
    const output = await prove(
      { 'b.txt': 'b\n' },
      {},
      'git status --porcelain && git log --oneline | wc -l && git ls-files && basename "$PWD"',
    );
    expect(output.stdout).toBe('1\n.gitignore\na.txt\nb.txt\nproject\n');
  });

  test("has the project's remote URL without credentials", async () => {
    const { git, prove } = await project({});
    git('remote', 'add', 'origin', 'https://ann:secret@example.org/sums.git');
    expect((await prove({}, {}, 'git remote get-url origin')).stdout).toBe('https://example.org/sums.git\n');
  });

  test('cannot be escaped through a link in place of workspace.directory', async () => {
    const { root, git, write, prove } = await project({ 'src/a.js': '' });
    const outside = join(root, '..', 'outside');
    await mkdir(outside);
    await symlink('../../../../outside', join(root, 'link'));
    git('add', 'link');
    git('commit', '-q', '-m', 'link');
    await rm(join(root, 'link'));
    await write({ 'link/node_modules/.env': '' });
    const command = 'ls verifier/tests';
    for (const place of [
      { directory: 'link', copy: ['link/node_modules/.env'] },
      { directory: 'link', setup: 'npm ci' },
      { directory: 'src', setup: "sh -c 'cd .. && rm -r src && ln -s ../../../../outside src'" },
      { directory: '../../../../outside' },
    ]) {
      const output = await prove({}, { 'a.test.js': '' }, command, place);
      expect(output).toMatchObject({ machine: 'could-not-run', back_to: 'setup' });
      expect(output.problem).toMatch(/is outside the (?:repository|tree)$/);
      expect(await readdir(outside)).toEqual([]);
    }
  });

  test('is removed after the proof, even if it failed', async () => {
    const { state, prove, job } = await project({ 'test/old.test.js': 'old' });
    await prove({}, {}, 'exit 1');
    await proveLaunch(await job({}, { 'test/old.test.js': 'new' }, 'true')).catch(() => {});
    expect(await readdir(join(state, 'checkouts'))).toEqual([]);
  });

  test('yields no proof if its set-up fails, and the log shows why', async () => {
    const { runDir, prove } = await project({});
    const output = await prove({}, {}, 'true', { setup: 'echo "no registry"; exit 4' });
    expect(output).toMatchObject({ machine: 'could-not-run', exit_code: null, back_to: 'setup' });
    expect(output.problem).toContain('exit code 4');
    expect(await readFile(runFiles(runDir).testLog, 'utf8')).toContain('no registry');
  });

  test('is ready for tests if its set-up fails once, but then succeeds on the base commit and on the result', async () => {
    const { runDir, state, prove } = await project({
      'setup.sh': 'test -e "$1" && exit 0\ntouch "$1"\nexit 5\n',
    });
    const setup = `sh setup.sh ${join(state, 'stores', 'tried')}`;
    const output = await prove({ 'a.txt': 'of the result\n' }, {}, 'cat a.txt', { setup });
    expect(output).toMatchObject({ machine: 'pass', stdout: 'of the result\n' });
    expect(await readFile(runFiles(runDir).testLog, 'utf8')).toContain('Trying it on the base commit');
  });
});

test('a result on which the set-up fails, although it works on the base commit, goes back to the Builder', async () => {
  const { prove } = await project({});
  const setup = 'test ! -e broken || exit 5';
  expect(await prove({}, {}, 'true', { setup })).toMatchObject({ machine: 'pass' });
  const output = await prove({ broken: '' }, {}, 'true', { setup });
  expect(output).toMatchObject({ machine: 'could-not-run', back_to: 'tree' });
  expect(output.problem).toMatch(/failed on the result, but not on the base commit: .* exit code 5$/);
});

describe('the files of a proof', () => {
  test('contain the outcome and a readable log', async () => {
    const { runDir, prove } = await project({});
    const output = await prove({}, {}, 'echo one; echo two >&2; exit 3');
    const files = runFiles(runDir);
    expect(output).toMatchObject({ exit_code: 3, machine: 'fail', stdout: 'one\n', stderr: 'two\n' });
    expect(await readFormat(testOutputFile, files.testOutput)).toMatchObject({ is: 'value', value: output });
    const log = await readFile(files.testLog, 'utf8');
    expect(log).toMatch(
      /^\$ echo one; echo two >&2; exit 3\n(?:in a [a-z-]+ sandbox|without a sandbox).*\nstarted \d{4}-.*Z\n/,
    );
    expect(log).toMatch(/^one$/m);
    expect(log).toMatch(/^two$/m);
    expect(log).toMatch(
      /\nended \d{4}-.*Z, after \d+\.\d s\nexit code 3\nfail\n1 tests: 0 passed, 1 failed, 0 skipped\n$/,
    );
  });

  test('are valid for any output of the command', async () => {
    const { runDir, prove } = await project({});
    const output = await prove({}, {}, 'head -c 3000000 /dev/urandom; head -c 3000000 /dev/zero >&2');
    expect(await readFormat(testOutputFile, runFiles(runDir).testOutput)).toMatchObject({
      is: 'value',
      value: output,
    });
  });

  test('are not written when the proof is aborted', async () => {
    const { runDir, job } = await project({});
    const of = { ...(await job({}, {}, 'true')), signal: AbortSignal.abort(new Error('stopped')) };
    await expect(proveLaunch(of)).rejects.toThrow('stopped');
    expect(existsSync(runFiles(runDir).testOutput)).toBe(false);
  });
});

describe("the user's git settings do not break a test run", () => {
  const TAP = 'echo "TAP version 13"\necho "1..1"\nif true; then\n  echo "ok 1 - AC-1: works"\nfi\n';

  /** A test run while the user's global configuration has this setting. */
  async function runWith(...setting: string[]) {
    const { prove, root, git } = await project({ 'a.txt': 'a\n' });
    vi.stubEnv('HOME', join(root, '..'));
    onTestFinished(() => void vi.unstubAllEnvs());
    git('config', '--global', ...setting);
    return prove(
      { 'a.txt': 'b\n' },
      { 'checks.sh': TAP, '.gitattributes': '* text eol=crlf\n' },
      'sh checks.sh',
    );
  }

  test.each([
    ['protocol.file.allow', 'never'],
    ['core.autocrlf', 'true'],
  ])('%s=%s', async (key, value) => {
    expect(await runWith(key, value)).toMatchObject({ machine: 'pass' });
  });
});
