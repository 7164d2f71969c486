/** Hollow tests of many kinds, and honest ones, on real checkouts with a real runner. */
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Criterion } from '../../../src/formats/exam/acceptance-criteria.ts';
import { findSandbox } from '../../../src/process/sandbox/find-sandbox.ts';
import { runExam } from '../../../src/proof/exam/run-exam.ts';
import {
  commandPerTestFile,
  goCommandForTests,
  nodeCommandForTests,
  withTestTimeout,
} from '../../../src/proof/rewrite-test-command.ts';
import { proveLaunch } from '../../../src/proof/run-proof.ts';
import { project } from '../sealed-project.ts';
import { examined, LIMIT_MS, SETTINGS } from './examine-passed-tests.ts';

const { kind } = await findSandbox(process.env);

const BASE = `export function answer(n) {
  return 200;
}
`;
const RESULT = `export function answer(n) {
  if (n > 60) return 429;
  return 200;
}
`;
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const IMPORTS = `import assert from 'node:assert';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { answer } from './answer.mjs';
`;
const TEXT = `readFileSync('answer.mjs', 'utf8')`;
const HASHED = `createHash('sha256').update`;
const STRIPPED = `.replace(/^\\s*\\/\\/.*\\n/gm, '')`;
/** A file with a test for each title. */
const fileOf = (bodies: Record<string, string>): Record<string, string> => ({
  'all.test.mjs': [
    IMPORTS,
    ...Object.entries(bodies).map(([title, body]) => `test('${title}', async () => { ${body} });\n`),
  ].join(''),
});
const COMMAND = 'node --test --test-reporter=tap all.test.mjs';
const REAL = { 'AC-1: refuses the 61st': 'assert.equal(answer(61), 429);' };

test('tests that prove nothing are distinguished from honest ones', { timeout: LIMIT_MS }, async () => {
  const files = fileOf({
    ...REAL,
    'AC-2: accepts the first': 'assert.equal(answer(1), 200);',
    'AC-3: a new module': `assert.equal((await import('./words.mjs')).word(61), 'refused');`,
    'AC-4: asserts nothing': 'assert.ok(true);',
    'AC-5: asserts its own answer': 'const mock = () => 429; assert.equal(mock(), 429);',
    'AC-6: reads the source': `assert.match(${TEXT}, /429/);`,
    'AC-7: reads the function': 'assert.match(String(answer), /429/);',
    'AC-8: hashes the source': `assert.equal(${HASHED}(${TEXT}).digest('hex'), '${sha256(RESULT)}');`,
    'AC-9: hashes the source without comments': `assert.equal(${HASHED}(${TEXT}${STRIPPED}).digest('hex'), '${sha256(RESULT)}');`,
    'AC-11: writes what it expects': `if (!existsSync('snap')) writeFileSync('snap', String(answer(61))); assert.equal(readFileSync('snap', 'utf8'), String(answer(61)));`,
    'AC-12: looks for the file': `assert.ok(existsSync('words.mjs'));`,
    'AC-13: looks for removed text': `assert.doesNotMatch(readFileSync('old.mjs', 'utf8'), /eval/);`,
    'AC-14: looks for a function': `assert.equal(typeof (await import('./old.mjs')).later, 'function');`,
    'AC-15: looks for one beside a changed line': `assert.equal(typeof (await import('./beside.mjs')).added, 'function');`,
    'AC-16: looks for one in another file': `assert.equal(typeof (await import('./all.mjs')).later, 'function');`,
    'AC-17: looks for one in a list of exports': `assert.equal(typeof (await import('./list.mjs')).later, 'function');`,
    'AC-18: looks for one in an object': `assert.equal(typeof (await import('./object.cjs')).default.later, 'function');`,
    'AC-19: looks for a class': `assert.equal(typeof (await import('./class.mjs')).Added, 'function');`,
    'AC-20: looks for one in a file of which everything is exported': `assert.equal(typeof (await import('./every.mjs')).word, 'function');`,
  });
  files['all.test.mjs'] += `test.skip('AC-10: later', () => {});\n`;
  const { shown, output } = await examined(
    {
      'answer.mjs': BASE,
      'old.mjs': `export const old = text => eval(text);\nold('1');\n`,
      'beside.mjs': `const first = 1;\nexport { first };\n`,
      'all.mjs': `export { old } from './old.mjs';\n`,
      'list.mjs': `const old = 1;\nexport {\n  old,\n};\n`,
      'object.cjs': `const old = 1;\nconst object = {\n  old,\n};\nmodule.exports = object;\n`,
      'class.mjs': `const one = 1;\nexport { one };\n`,
      'every.mjs': `export const one = 1;\n`,
    },
    {
      'answer.mjs': RESULT,
      'old.mjs': `export const old = text => JSON.parse(text);\nold('1');\nfunction later() {\n  return 1;\n}\nexport { later };\n`,
      'beside.mjs': `const first = 1;\nfunction added() {\n  return 2;\n}\nexport { first, added };\n`,
      'all.mjs': `export { later, old } from './old.mjs';\n`,
      'list.mjs': `const old = 1;\nfunction later() {\n  return 1;\n}\nexport {\n  old,\n  later,\n};\n`,
      'object.cjs': `const old = 1;\nfunction later() {\n  return 1;\n}\nconst object = {\n  old,\n  later: later,\n};\nmodule.exports = object;\n`,
      'class.mjs': `const one = 1;\nclass Added {\n  run() {\n    return 1;\n  }\n}\nexport { one, Added };\n`,
      'every.mjs': `export const one = 1;\nexport * from './words.mjs';\n`,
      'words.mjs': `export const word = n => {\n  return n > 60 ? 'refused' : 'fine';\n};\n`,
    },
    files,
    COMMAND,
    { keeps: ['AC-2'] },
  );
  expect(shown).toEqual({
    'AC-1': 'confirmed',
    'AC-2': 'confirmed',
    'AC-3': 'confirmed',
    'AC-4': 'not-claimed base',
    'AC-5': 'not-claimed base',
    'AC-6': 'not-claimed ghost',
    'AC-7': 'not-claimed ghost',
    'AC-8': 'not-claimed placebo',
    'AC-9': 'not-claimed placebo',
    'AC-10': 'not-claimed not-run',
    'AC-11': 'not-claimed base',
    'AC-12': 'not-claimed ghost',
    'AC-13': 'not-claimed placebo',
    'AC-14': 'not-claimed kill',
    'AC-15': 'not-claimed kill',
    'AC-16': 'not-claimed kill',
    'AC-17': 'not-claimed kill',
    'AC-18': 'not-claimed kill',
    'AC-19': 'not-claimed kill',
    'AC-20': 'not-claimed kill',
  });
  expect(output.problem).toBeUndefined();
  expect(output.criteria[0]!.tests).toEqual([
    {
      id: 'AC-1: refuses the 61st',
      head: ['pass', 'pass'],
      base: ['assert', 'assert'],
      ghost: 'assert',
      placebo: 'pass',
      stubs: 'assert',
      negated: 'assert',
      killed_by: expect.arrayContaining([expect.stringMatching(/^m/)]),
      proves: true,
    },
  ]);
});

test('a test that reads the source is not evidence, even if its test file imports a new file or its criterion is of kind keeps', {
  timeout: LIMIT_MS,
}, async () => {
  const { shown } = await examined(
    { 'answer.mjs': BASE },
    {
      'answer.mjs': RESULT,
      'words.mjs': `export function word(n) {\n  if (n > 60) return 'refused';\n  return 'fine';\n}\n`,
    },
    {
      'new.test.mjs': `${IMPORTS}import { word } from './words.mjs';
test('AC-1: refuses', () => { assert.equal(word(61), 'refused'); });
test('AC-2: reads the new source', () => { assert.match(readFileSync('words.mjs', 'utf8'), /n > 60/); });
test('AC-3: reads the changed source', () => { assert.match(${TEXT}, /429/); });
`,
      'old.test.mjs': `${IMPORTS}test('AC-4: reads the kept source', () => { assert.match(${TEXT}, /return 200/); });
`,
    },
    'node --test --test-reporter=tap new.test.mjs old.test.mjs',
    { keeps: ['AC-4'] },
  );
  expect(shown).toEqual({
    'AC-1': 'confirmed',
    'AC-2': 'not-claimed placebo',
    'AC-3': 'not-claimed placebo',
    'AC-4': 'not-claimed placebo',
  });
});

test.each<[string, string, string, string]>([
  [
    'disables an assertion and its opposite',
    `import assert from 'node:assert';\nassert.equal = assert.notEqual = () => assert.ok(1);\n${BASE}`,
    'assert.equal(answer(61), 429);',
    'not-claimed negated',
  ],
  [
    'disables an assertion beside a weak one',
    `import assert from 'node:assert';\nassert.equal = () => {};\n${BASE}`,
    'assert.ok(answer(61)); assert.equal(answer(61), 429);',
    'not-claimed negated',
  ],
  [
    'disables the assertion in a helper',
    `import assert from 'node:assert';\nassert.equal = () => {};\n${BASE}`,
    'same(answer(61), 429);',
    'passes',
  ],
  [
    'is right only in tests',
    `${BASE.replace('return 200', 'return process.env.NODE_TEST_CONTEXT ? 429 : 200')}`,
    'assert.equal(answer(61), 429);',
    'passes',
  ],
])('on a result that %s, tests confirm nothing', { timeout: LIMIT_MS }, async (_, result, body, expected) => {
  const files = fileOf({ 'AC-1: refuses the 61st': body });
  files['all.test.mjs'] += 'function same(a, b) { assert.equal(a, b); }\n';
  const { shown } = await examined({ 'answer.mjs': BASE }, { 'answer.mjs': result }, files, COMMAND);
  expect(shown).toEqual({ 'AC-1': expected });
});

test('tests with the same title are not evidence for one another', { timeout: LIMIT_MS }, async () => {
  const { shown } = await examined(
    { 'answer.mjs': BASE },
    { 'answer.mjs': `${RESULT}function later() {\n  return 1;\n}\nexport { later };\n` },
    {
      'all.test.mjs': `${IMPORTS}import * as all from './answer.mjs';
test('AC-1: refuses', () => { assert.equal(typeof all.later, 'function'); });
test('AC-1: refuses', () => { assert.equal(answer(60), 200); });
test('AC-2: limits', () => { assert.equal(answer(60), 200); });
test('AC-2: limits', () => { assert.equal(answer(61), 429); });
`,
    },
    COMMAND,
  );
  expect(shown).toEqual({ 'AC-1': 'not-claimed kill', 'AC-2': 'confirmed' });
});

/** One process runs all tests, so a crash ends them all. */
const TAP = `import { answer } from './answer.mjs';
console.log('TAP version 13');
console.log('ok 1 - AC-1: starts');
if (answer(61) !== 429) process.exit(1);
console.log('ok 2 - AC-2: refuses');
console.log('1..2');
`;

test('a test that was not reached on base does not count as failed', async () => {
  const { shown } = await examined(
    { 'answer.mjs': BASE },
    { 'answer.mjs': RESULT },
    { 'all.mjs': TAP },
    'node all.mjs',
  );
  expect(shown).toEqual({ 'AC-1': 'not-claimed base', 'AC-2': 'could-not-run not-run' });
});

test('tests that change the code under test show nothing', async () => {
  const files = fileOf({ 'AC-1: repairs it first': `writeFileSync('answer.mjs', ${TEXT});` });
  const { shown, output } = await examined({ 'answer.mjs': BASE }, { 'answer.mjs': RESULT }, files, COMMAND);
  expect(shown).toEqual({ 'AC-1': 'could-not-run' });
  expect(output.problem).toBe('on base: the tests changed the code that they test: answer.mjs');
});

test('a set-up that fails on base is reported as the reason the exam shows nothing', async () => {
  const { job } = await project({ 'answer.mjs': BASE });
  const proof = await job({ 'answer.mjs': RESULT }, fileOf(REAL), COMMAND, {
    setup: 'grep -q 429 answer.mjs',
  });
  await proveLaunch(proof);
  const criteria: Criterion[] = [{ id: 'AC-1', kind: 'behaviour', text: 'a' }];
  const output = await runExam({
    ...proof,
    job: { ...proof.job, criteria, settings: SETTINGS, may_question: false },
  });
  expect(output.problem).toMatch(/^on base: the set-up failed/);
  expect(output.criteria[0]!.status).toBe('could-not-run');
});

test('for a test that has noticed no fault yet, the exam plants faults beyond the maximum', {
  timeout: LIMIT_MS,
}, async () => {
  const made = (name: string) => `export function ${name}(n) {\n  return { value: n + 1 };\n}\n`;
  const { shown } = await examined(
    { 'answer.mjs': BASE },
    { 'made.mjs': ['a', 'b', 'c'].map(made).join('') },
    fileOf({ 'AC-1: adds': `assert.equal((await import('./made.mjs')).c(1).value, 2);` }),
    COMMAND,
    { settings: { mutants: 1 } },
  );
  expect(shown).toEqual({ 'AC-1': 'confirmed' });
});

test('for a test that passes without the change, the exam plants no faults beyond the maximum', {
  timeout: LIMIT_MS,
}, async () => {
  const made = (name: string) => `export function ${name}(n) {\n  return { value: n + 1 };\n}\n`;
  const { shown, output } = await examined(
    { 'answer.mjs': BASE },
    { 'made.mjs': ['a', 'b', 'c'].map(made).join('') },
    fileOf({
      'AC-1: adds': `assert.equal((await import('./made.mjs')).a(1).value, 2);`,
      'AC-2: accepts': 'assert.equal(answer(1), 200);',
    }),
    COMMAND,
    { settings: { mutants: 1 } },
  );
  expect(shown).toEqual({ 'AC-1': 'confirmed', 'AC-2': 'not-claimed base' });
  expect(output.change!.mutants).toHaveLength(1);
});

test('a test in an ES module confirms a criterion however it imports a CommonJS file', {
  timeout: LIMIT_MS,
}, async () => {
  const limit = (first: string) =>
    `function limit(n) {\n${first}  return n;\n}\nmodule.exports = { limit };\n`;
  const { shown } = await examined(
    { 'limit.js': limit('') },
    { 'limit.js': limit('  if (n > 100) return 100;\n') },
    {
      'all.test.mjs': `import test from 'node:test';
import assert from 'node:assert';
import * as all from './limit.js';
test('AC-1: as a whole', () => assert.equal(all.limit(300), 100));
test('AC-2: later', async () => assert.equal((await import('./limit.js')).limit(400), 100));
`,
    },
    COMMAND,
  );
  expect(shown).toEqual({ 'AC-1': 'confirmed', 'AC-2': 'confirmed' });
});

test('a test that checks only that a CommonJS file exports a value confirms nothing', {
  timeout: LIMIT_MS,
}, async () => {
  const { shown } = await examined(
    { 'names.js': 'exports.first = 1;\n' },
    { 'names.js': "exports.first = 1;\nexports.second = 'two';\n" },
    {
      'all.test.mjs': `import test from 'node:test';
import assert from 'node:assert';
import names from './names.js';
test('AC-1: it is there', () => assert.ok(names.second));
test('AC-2: its value', () => assert.equal(names.second, 'two'));
`,
    },
    COMMAND,
  );
  expect(shown).toEqual({ 'AC-1': 'not-claimed kill', 'AC-2': 'confirmed' });
});

test('the exam works for a change that replaces a file with a folder', { timeout: LIMIT_MS }, async () => {
  const { shown, output } = await examined(
    { 'answer.mjs': BASE, tool: 'x' },
    {
      'answer.mjs': RESULT.replace(/^/, "import { most } from './tool/most.mjs';\n").replace('60', 'most'),
      'tool/most.mjs': 'export const most = 60;\n',
    },
    { 'all.test.mjs': `${IMPORTS}test('AC-1: refuses', () => assert.equal(answer(61), 429));\n` },
    COMMAND,
  );
  expect(output.problem).toBeUndefined();
  expect(shown).toEqual({ 'AC-1': 'confirmed' });
});

test('if no test can notice anything, the exam breaks nothing and counts as complete', {
  timeout: LIMIT_MS,
}, async () => {
  const hash = `assert.equal(${HASHED}(${TEXT}).digest('hex'), '${sha256(RESULT)}');`;
  const { shown, output } = await examined(
    { 'answer.mjs': BASE },
    { 'answer.mjs': RESULT },
    fileOf({ 'AC-1: hashes the source': hash }),
    COMMAND,
  );
  expect(shown).toEqual({ 'AC-1': 'not-claimed placebo' });
  expect(output.change).toMatchObject({ complete: true, runs: 0, units: [{ status: 'not-run' }] });
});

test('an exam that ends early confirms nothing, and gives the reason', async () => {
  const { output } = await examined(
    { 'lib/answer.mjs': BASE },
    { 'lib/answer.mjs': RESULT },
    {
      'all.test.mjs': `${IMPORTS.replace('./answer', './lib/answer')}test('AC-1: a', () => assert.equal(answer(61), 429));\n`,
    },
    COMMAND,
    { setup: 'mv lib other && ln -s other lib' },
  );
  const reason = 'the exam ended early: lib is a link, so lib/answer.mjs cannot be edited';
  expect(output).toMatchObject({ problem: reason, criteria: [{ status: 'passes', reason }] });
});

/** An exam in which showing the output fails. */
async function examFailingWith(error: Error) {
  const { job } = await project({ 'answer.mjs': BASE });
  const proof = await job({ 'answer.mjs': RESULT }, fileOf(REAL), COMMAND);
  await proveLaunch(proof);
  let shown = '';
  const output = await runExam({
    ...proof,
    job: { ...proof.job, criteria: [], settings: SETTINGS, may_question: false },
    echo(chunk) {
      shown += chunk;
      if (/The tests on/.test(`${chunk}`)) throw error;
    },
  });
  return { output, shown };
}

test('an exam that runs out of disk space fails, so that it is repeated', async () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  await expect(examFailingWith(full)).rejects.toBe(full);
});

test('an exam that ends early because of a bug shows the stack of the error, and reports no secrets', async () => {
  const { output, shown } = await examFailingWith(
    new TypeError('https://ann:s3cret-word@example.org is null'),
  );
  expect(output.problem).toMatch(/^the exam ended early: .* is null$/);
  expect(output.problem).not.toContain('s3cret-word');
  expect(shown).toMatch(/TypeError: .*\n {4}at /);
});

test('what the set-up builds is rebuilt from each broken version, without installing anything again', {
  timeout: LIMIT_MS,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dure-installs-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const build = `import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
execFileSync(process.execPath, ['--check', 'src/answer.mjs']);
rmSync('dist', { recursive: true, force: true });
cpSync('src', 'dist', { recursive: true });
`;
  const install = `import { appendFileSync } from 'node:fs';
appendFileSync('${join(folder, 'log')}', 'installed ');
`;
  const { shown, output } = await examined(
    { 'src/answer.mjs': BASE, 'build.mjs': build, 'prepare.mjs': install },
    { 'src/answer.mjs': RESULT },
    {
      'all.test.mjs': `${IMPORTS.replace('./answer', './dist/answer')}test('AC-1: refuses', () => assert.equal(answer(61), 429));
test('AC-2: accepts', () => assert.equal(answer(1), 200));
test('AC-3: reads the output', () => assert.match(readFileSync('dist/answer.mjs', 'utf8'), /429/));
`,
    },
    COMMAND,
    { keeps: ['AC-2'], setup: 'node prepare.mjs && node build.mjs' },
  );
  expect(shown).toEqual({ 'AC-1': 'confirmed', 'AC-2': 'confirmed', 'AC-3': 'not-claimed ghost' });
  expect(output.change!.units).toMatchObject([{ status: 'proven' }]);
  // For the proof, and for the result and base in the exam.
  expect(await readFile(join(folder, 'log'), 'utf8')).toBe('installed '.repeat(3));
});

test('tests that read the source text defend no line', { timeout: LIMIT_MS }, async () => {
  const base = `${BASE}\nexport function reason(n) {\n  return n;\n}\n`;
  const result = `${RESULT}\nexport function reason(n) {\n  return n > 60 ? 'full' : n;\n}\n`;
  const { shown, output } = await examined(
    { 'answer.mjs': base },
    { 'answer.mjs': result },
    fileOf({
      ...REAL,
      'AC-2: hashes the source': `assert.equal(${HASHED}(${TEXT}).digest('hex'), '${sha256(result)}');`,
      'AC-3: reads the source without comments': `assert.match(${TEXT}.replace(/\\/\\/.*|\\s/g, ''), /n>60[?]/);`,
    }),
    COMMAND,
  );
  expect(shown).toEqual({
    'AC-1': 'confirmed',
    'AC-2': 'not-claimed placebo',
    'AC-3': 'not-claimed ghost',
  });
  expect(output.change!.units.map(({ lines, status }) => [lines!.first, status])).toEqual([
    [2, 'proven'],
    [7, 'untested'],
  ]);
});

test('an exam without broken versions runs the tests four times', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dure-runs-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const log = join(folder, 'log');
  // The new parameter would add another run of an exam with a budget. With a set-up, tests run without a sandbox.
  const { output } = await examined(
    { 'answer.mjs': BASE },
    { 'answer.mjs': RESULT.replace('(n)', '(n, most = 60)').replace('> 60', '> most') },
    fileOf({
      'AC-1: refuses the 61st': `writeFileSync('${log}', '.', { flag: 'a' }); ${REAL['AC-1: refuses the 61st']}`,
    }),
    COMMAND,
    { settings: { rounds: 0, budget_s: 0 }, setup: 'true' },
  );
  // The proof, and the four runs of the exam.
  expect(await readFile(log, 'utf8')).toBe('.....');
  // Another run on the result would add a second `pass` to `head`: the first one is from the proof.
  expect(output.criteria[0]!.tests).toEqual([
    {
      id: 'AC-1: refuses the 61st',
      head: ['pass'],
      base: ['assert', 'assert'],
      ghost: 'assert',
      placebo: 'pass',
      killed_by: null,
      proves: false,
    },
  ]);
});

test('if a test file cannot be loaded on base, the test files are run one by one', {
  timeout: LIMIT_MS,
}, async () => {
  const old = `import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { answer } from './answer.mjs';\n`;
  const { shown } = await examined(
    { 'answer.mjs': BASE },
    { 'answer.mjs': RESULT, 'words.mjs': 'export const word = n => {\n  return n > 60;\n};\n' },
    {
      'new.test.mjs': `import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { word } from './words.mjs';\ntest('AC-1: new', () => assert.equal(word(61), true));\n`,
      'old.test.mjs': `${old}test('AC-2: old', () => assert.equal(answer(61), 429));\n`,
    },
    'node --test --test-reporter=tap new.test.mjs old.test.mjs',
  );
  expect(shown).toEqual({ 'AC-1': 'confirmed', 'AC-2': 'confirmed' });
});

test('lines are defended if a test fails without them with the same error as on base', {
  timeout: LIMIT_MS,
}, async () => {
  const rate = (line: string) => `def rate(text):\n${line}    return int(text)\n`;
  const { output, shown } = await examined(
    { 'rate.py': rate('') },
    { 'rate.py': rate('    text = text.rstrip("%")\n') },
    {
      'test_rate_verifier.py':
        '# AC-1\nfrom rate import rate\n\n\ndef test_ac1_percent():\n    assert rate("60%") == 60\n',
    },
    'python3 -m pytest -q -p no:cacheprovider --junitxml=report.xml test_rate_verifier.py',
  );
  expect(shown).toEqual({ 'AC-1': 'confirmed' });
  expect(output.change).toMatchObject({
    units: [{ status: 'proven', killers: [{ failure: 'error' }] }],
    mutants: [{ killed: true }],
  });
});

test('Go tests that are cut off by a panic on base are run by name', { timeout: LIMIT_MS }, async () => {
  const answer = (at: string, sum: string) =>
    `package answer\n\nfunc At(n []int, i int) int {\n${at}\treturn n[i]\n}\n\nfunc Sum(n []int) int {\n\tt := 0\n\tfor _, x := range n {\n\t\t${sum}\n\t}\n\treturn t\n}\n`;
  const { shown } = await examined(
    { 'go.mod': 'module example.org/answer\n\ngo 1.18\n', 'answer.go': answer('', 't = x') },
    { 'answer.go': answer('\tif i >= len(n) {\n\t\treturn 0\n\t}\n', 't += x') },
    {
      'answer_verifier_test.go': [
        'package answer',
        'import "testing"',
        '// AC-1, AC-2, AC-3',
        'func TestAC1At(t *testing.T) { if At([]int{4}, 3) != 0 { t.Error("not 0") } }',
        'func TestAC2Past(t *testing.T) { if At([]int{4}, 1) != 0 { t.Error("not 0") } }',
        'func TestAC3Sum(t *testing.T) { if Sum([]int{1, 2}) != 3 { t.Error("not 3") } }',
        '',
      ].join('\n'),
    },
    'go test -json ./...',
  );
  expect(shown).toEqual({ 'AC-1': 'confirmed', 'AC-2': 'confirmed', 'AC-3': 'confirmed' });
});

test('a test that waits forever on base fails there, and the tests after it are run by title', {
  timeout: LIMIT_MS,
}, async () => {
  const queue = (shift: string) => `import { EventEmitter } from 'node:events';
export class Queue extends EventEmitter {
  items = [];
  shift() {
    ${shift}
  }
}
`;
  const { shown, output } = await examined(
    { 'queue.mjs': queue('return this.items.shift();') },
    {
      'queue.mjs': queue(
        `const item = this.items.shift();\n    if (this.items.length === 0) this.emit('drained', item + 1);\n    return item;`,
      ),
    },
    {
      'all.test.mjs': `import assert from 'node:assert';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { Queue } from './queue.mjs';
test('AC-1: drained', async () => {
  const queue = new Queue();
  queue.items.push(1);
  const drained = once(queue, 'drained');
  queue.shift();
  assert.deepEqual(await drained, [2]);
});
describe('the queue (old)', () => {
  test("AC-2: it's [the] oldest item / $first", () => {
    const queue = new Queue();
    queue.items.push(7, 8);
    assert.equal(queue.shift(), 7);
  });
});
`,
    },
    'node --test all.test.mjs',
    { keeps: ['AC-2'] },
  );
  expect(output.criteria.map(({ tests }) => tests![0]!.base)).toEqual([
    ['timeout', 'timeout'],
    ['pass', 'pass'],
  ]);
  expect(shown).toEqual({ 'AC-1': 'confirmed', 'AC-2': 'confirmed' });
});

/** Compiles all files together: every file that a test imports must export something. */
const COMPILER = `import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
for (const file of readdirSync('test')) {
  const names = readFileSync('test/' + file, 'utf8').matchAll(/import { (\\w+) } from '..\\/src\\/(.+)'/g);
  for (const [, name, path] of names)
    if (!existsSync('src/' + path) || !/^(\\/\\*.*\\*\\/ )?export/m.test(readFileSync('src/' + path, 'utf8'))) throw new Error(name);
}
if (existsSync('broken')) throw new Error('broken');
for (const name of ['src', 'test']) cpSync(name, 'dist/' + name, { recursive: true });
`;

test.each([
  [
    'the tests cannot be loaded',
    {},
    { 'AC-1': 'confirmed', 'AC-2': 'confirmed', 'AC-3': 'not-claimed base', 'AC-4': 'confirmed' },
  ],
  [
    'the command may not run there at all',
    { broken: '' },
    { 'AC-1': 'could-not-run', 'AC-2': 'could-not-run', 'AC-3': 'could-not-run', 'AC-4': 'could-not-run' },
  ],
])(
  'if the command reports no test on base, %s',
  { timeout: LIMIT_MS },
  async (_, more: Record<string, string>, expected) => {
    const fileOf = (from: string, body: string) => ({
      [`test/${from}`]: `import assert from 'node:assert';\nimport { test } from 'node:test';\n${body}`,
    });
    const words = `export const word = n => {\n  return n > 60 ? 'refused' : 'fine';\n};\n`;
    const { shown } = await examined(
      { 'src/answer.mjs': BASE, 'compile.mjs': COMPILER, ...more },
      {
        'src/answer.mjs': RESULT,
        'src/words.mjs': words,
        ...(more['broken'] === '' && { 'compile.mjs': COMPILER.replace('broken', 'x') }),
      },
      {
        ...fileOf(
          'words.test.mjs',
          `import { word } from '../src/words.mjs';\nimport { answer } from '../src/answer.mjs';
test('AC-1: word', () => assert.equal(word(61), 'refused'));
test('AC-4: accepts', () => assert.equal(answer(60), 200));\n`,
        ),
        ...fileOf(
          'answer.test.mjs',
          `import { answer } from '../src/answer.mjs';
test('AC-2: refuses', () => assert.equal(answer(61), 429));
test('AC-3: accepts', () => assert.equal(answer(2), 200));\n`,
        ),
      },
      'node compile.mjs && node --test dist/test/words.test.mjs dist/test/answer.test.mjs',
      { keeps: ['AC-4'] },
    );
    expect(shown).toEqual(expected);
  },
);

test.each<[string, Record<string, string>, Record<string, string>, Record<string, string>, string]>([
  [
    'a file',
    { 'answer.mjs': BASE },
    { 'answer.mjs': `${RESULT}export const word = n => {\n  return n > 60 ? 'refused' : 'fine';\n};\n` },
    {
      'all.test.mjs': `${IMPORTS.replace('{ answer }', '{ answer, word }')}
test('AC-1: word', () => assert.equal(word(61), 'refused'));
test('AC-2: still accepts', () => assert.equal(answer(60), 200));
test('AC-3: still refuses', () => assert.equal(answer(61), 429));
`,
    },
    COMMAND,
  ],
  [
    'a Go package',
    {
      'go.mod': 'module example.org/a\n\ngo 1.18\n',
      'a.go': 'package a\n\nfunc Sum(n ...int) int {\n\treturn len(n)\n}\n',
    },
    {
      'a.go':
        'package a\n\nfunc Sum(n ...int) int {\n\tt := 0\n\tfor _, x := range n {\n\t\tt += x\n\t}\n\treturn t\n}\n',
      'b.go': 'package a\n\nfunc Twice(n int) int {\n\treturn n * 2\n}\n',
    },
    {
      'a_ac_test.go':
        'package a\n\nimport "testing"\n\nfunc TestAC2Ones(t *testing.T) {\n\tif Sum(1, 1) != 2 {\n\t\tt.Error("not 2")\n\t}\n}\n\nfunc TestAC3Sum(t *testing.T) {\n\tif Sum(2) != 2 {\n\t\tt.Error("not 2")\n\t}\n}\n// AC-2 AC-3\n',
      'b_ac_test.go':
        'package a\n\nimport "testing"\n\nfunc TestAC1Twice(t *testing.T) {\n\tif Twice(2) != 4 {\n\t\tt.Error("not 4")\n\t}\n}\n// AC-1\n',
    },
    'go test -json ./...',
  ],
])(
  'tests in %s that cannot be loaded on base because of other tests are run without them',
  {
    timeout: LIMIT_MS,
  },
  async (_, base, result, tests, command) => {
    const { shown } = await examined(base, result, tests, command, { keeps: ['AC-2', 'AC-3'] });
    expect(shown).toEqual({ 'AC-1': 'confirmed', 'AC-2': 'confirmed', 'AC-3': 'not-claimed base' });
  },
);

test('a test that hangs on base does not hide the others', { timeout: LIMIT_MS }, async () => {
  const wait = (end: string) =>
    `export const wait = done => {\n  const timer = setTimeout(() => {}, 1e6);\n${end}};\n`;
  const { shown, output } = await examined(
    { 'answer.mjs': BASE, 'wait.mjs': wait('') },
    {
      'answer.mjs': RESULT,
      'wait.mjs': wait('  clearTimeout(timer);\n  done(timer.unref() ? 6 + 1 : 0);\n'),
    },
    {
      'wait.test.mjs': `${IMPORTS}import { wait } from './wait.mjs';
test('AC-1: before', () => assert.equal(answer(61), 429));
test('AC-2: waits', async () => assert.equal(await new Promise(wait), 7));
test('AC-3: after', () => assert.equal(answer(62), 429));
`,
      'other.test.mjs': `${IMPORTS}test('AC-4: other', () => assert.equal(answer(60), 200));\n`,
    },
    'node --test wait.test.mjs other.test.mjs',
    { keeps: ['AC-4'] },
  );
  expect(output.criteria.map(({ tests }) => tests![0]!.base[0])).toEqual([
    'assert',
    'timeout',
    'assert',
    'pass',
  ]);
  expect(output.problem).toBeUndefined();
  expect(shown).toEqual({
    'AC-1': 'confirmed',
    'AC-2': 'confirmed',
    'AC-3': 'confirmed',
    'AC-4': 'confirmed',
  });
});

test('a command gets a time limit for its tests if Dure knows how to set one', () => {
  expect(withTestTimeout('npx tsc && node --test a.mjs', 1500)).toBe(
    'npx tsc && node --test --test-timeout=1500 a.mjs',
  );
  const named = nodeCommandForTests('node --test a.mjs', ["it's (a|b)"])!;
  expect(withTestTimeout(named, 1500)).toBe(named.replace('--test ', '--test --test-timeout=1500 '));
  expect(withTestTimeout("go test -run '^(A|B)$' .", 1500)).toBe("go test -run '^(A|B)$' . -timeout=2s");
  expect(withTestTimeout('go test -json ./...', 1500)).toBe('go test -json ./... -timeout=2s');
  for (const other of ['npm test', 'node --test --test-timeout=1 a.mjs', 'go test -timeout 1s ./...'])
    expect(withTestTimeout(other, 1500)).toBe(other);
});

test('a command that runs only selected Go tests is derived if the test command ends with `go test`', () => {
  const ids = ['a/b::TestA', 'a/b::TestB/one', 'a/b'];
  expect(goCommandForTests('go vet . && CGO_ENABLED=0 go test -json ./...', ids)).toBe(
    "go vet . && CGO_ENABLED=0 go test -json ./... -run '^(TestA|TestB)$'",
  );
  for (const other of ['go test ./... | tee out', 'npm test', 'go test . -args x', 'go test; true'])
    expect(goCommandForTests(other, ids)).toBeNull();
  expect(goCommandForTests('go test ./...', ['a/b'])).toBeNull();
});

test('a command that runs only selected tests of node:test is derived if the test command ends with `node --test`', () => {
  expect(
    nodeCommandForTests('npx tsc && A=1 node --import tsx --test a.mjs b.mjs', ['g > a (b)', "it's #2"]),
  ).toBe(
    `npx tsc && A=1 node --import tsx --test --test-name-pattern='/(?:^|\\s)a\\s+\\(b\\)$/' --test-name-pattern='/(?:^|\\s)it'\\''s(?:\\s+#2)?$/' a.mjs b.mjs`,
  );
  for (const other of ['npm test', 'node --test | tee out', 'node --test; true', 'node --test-only a.mjs'])
    expect(nodeCommandForTests(other, ['a'])).toBeNull();
  expect(nodeCommandForTests('node --test --test-name-pattern=a', ['a'])).toBeNull();
  expect(nodeCommandForTests('node --test', [])).toBeNull();
});

test('a command that names its test files is split into one per file', () => {
  expect(commandPerTestFile('node --test a.mjs ./b/b.mjs', ['a.mjs', 'b/b.mjs'])).toEqual([
    'node --test a.mjs',
    'node --test  ./b/b.mjs',
  ]);
  expect(commandPerTestFile('npm test', ['a.mjs', 'b.mjs'])).toEqual([]);
  expect(commandPerTestFile('node --test a.mjs', ['a.mjs'])).toEqual([]);
});

test.skipIf(kind === 'none')(
  'concurrent test runs do not interfere with each other, even if they use the same port and temporary file',
  {
    timeout: LIMIT_MS,
  },
  async () => {
    const body = `mkdirSync('/tmp/dure-exam-lock');
    const server = createServer().listen(18345, '127.0.0.1').unref();
    await once(server, 'listening');
    assert.equal(answer(61), 429);
    await new Promise(resolve => setTimeout(resolve, 300));
    assert.equal(answer(1), 200);
    server.close();
    rmdirSync('/tmp/dure-exam-lock');`;
    const imports = `import { once } from 'node:events';
import { mkdirSync, rmdirSync } from 'node:fs';
import { createServer } from 'node:net';
`;
    const files = {
      'all.test.mjs': `${imports}${IMPORTS}test('AC-1: refuses the 61st', async () => { ${body} });\n`,
    };
    const { shown, output } = await examined(
      { 'answer.mjs': BASE },
      { 'answer.mjs': RESULT },
      files,
      COMMAND,
    );
    expect(shown, JSON.stringify(output)).toEqual({ 'AC-1': 'confirmed' });
  },
);
