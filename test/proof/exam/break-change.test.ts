import { expect, test } from 'vitest';
import type { VariantResult } from '../../../src/formats/exam/runs-of-unfinished-exam.ts';
import { breakChange } from '../../../src/proof/exam/break-change.ts';
import { errorsIn } from '../../../src/proof/exam/variants/failures-as-evidence.ts';
import { ghostBase } from '../../../src/proof/exam/variants/ghost-and-placebo.ts';
import { checkStatuses, examined, LIMIT_MS, signal, summary } from './examine-sample.ts';
import { NODE, SAMPLES } from './sample-changes.ts';
import { sample } from './sample-repository.ts';

test.each(SAMPLES.filter(({ command }) => command === NODE))(
  'each unit gets a status that says whether tests notice it: $name',
  { timeout: LIMIT_MS },
  checkStatuses,
);

const TWO = SAMPLES.find(({ name }) => name.startsWith('two guards, one'))!;

test('nothing is run once the time is used up', { timeout: LIMIT_MS }, async () => {
  const { exam, made } = await examined(TWO, { budget_ms: 0 });
  expect(summary(exam)).toEqual(['src/title.js:2-2 not-run', 'src/title.js:4-4 not-run']);
  expect(exam).toMatchObject({ complete: false, runs: 0 });
  expect(made.runs).toBe(0);
});

test('if only a few runs are possible, a fault is planted for each test of new code before units are taken out', {
  timeout: LIMIT_MS,
}, async () => {
  const names = ['one', 'two', 'three', 'four'];
  const body = (name: string) =>
    `export function ${name}(n) {\n  const more = n + 1;\n  return more * 2;\n}\n`;
  const made = await sample({ 'src/a.js': '' }, { 'src/a.js': names.map(body).join('') });
  const { repository, base, head } = made;
  const run = made.running(NODE, {
    'a.test.mjs': [
      "import assert from 'node:assert';",
      "import test from 'node:test';",
      "import * as lib from './src/a.js';",
      ...names.map((name, n) => `test('AC-${n + 1}', () => assert.equal(lib.${name}(1), 4));`),
    ].join('\n'),
  });
  const headCases = await run({ of: 'head', edits: new Map() }, signal);
  let runs = 0;
  const exam = await breakChange({
    repository,
    base,
    head,
    headCases,
    claims: headCases.cases.map(({ id }) => ({ test: id, kind: 'behaviour' as const })),
    budget_ms: 40_000,
    mutants: 24,
    jobs: 1,
    signal,
    // One more run shows which tests turn a crash into a failed assertion. A later one lasts longer than the exam.
    async runVariant(variant, ending) {
      runs += 1;
      return runs <= names.length + 1
        ? run(variant, ending)
        : new Promise((_, stop) => ending.addEventListener('abort', () => stop(ending.reason)));
    },
  });
  expect(exam.kills.flatMap(({ test, failure }) => (failure === 'assert' ? [test] : [])).sort()).toEqual(
    headCases.cases.map(({ id }) => id).sort(),
  );
});

test('lines that a test needs have the status not-run if the time runs out before a fault is planted in them', {
  timeout: LIMIT_MS,
}, async () => {
  const total = (sum: string, factor: number) =>
    [
      'export function total(list) {',
      `  let ${sum} = 0;`,
      '  for (const n of list)',
      `    ${sum} += ${factor} * n;`,
      `  return ${sum};`,
      '}\n',
    ].join('\n');
  const made = await sample({ 'src/title.js': total('sum', 1) }, { 'src/title.js': total('all', 2) });
  const { repository, base, head } = made;
  const run = made.running(NODE, {
    'a.test.mjs': [
      "import assert from 'node:assert';",
      "import test from 'node:test';",
      "import { total } from './src/title.js';",
      "test('AC-1: counts twice', () => assert.equal(total([1, 2]), 6));",
    ].join('\n'),
  });
  const headCases = await run({ of: 'head', edits: new Map() }, signal);
  let runs = 0;
  const exam = await breakChange({
    repository,
    base,
    head,
    headCases,
    claims: [],
    budget_ms: 10_000,
    mutants: 24,
    jobs: 1,
    signal,
    // The second run lasts longer than the exam.
    async runVariant(variant, ending) {
      runs += 1;
      return runs === 1
        ? run(variant, signal)
        : new Promise((_, reject) => ending.addEventListener('abort', reject));
    },
  });
  expect(runs).toBe(2);
  expect(summary(exam)).toEqual(['src/title.js:2-2 not-run', 'src/title.js:4-5 not-run']);
  expect(exam.units[1]!.killers).toEqual([{ test: expect.stringContaining('AC-1'), failure: 'error' }]);
});

test('lines that can only be removed together have the status proven if a test fails without them with the same error as on base', {
  timeout: LIMIT_MS,
}, async () => {
  const shout = (before: string, subject: string) =>
    `export function shout(list) {\n${before}  const size = list.length;\n  return size && ${subject}.toUpperCase();\n}\n`;
  const made = await sample(
    { 'src/shout.js': shout('', 'list.at()') },
    { 'src/shout.js': shout('  const text = String(list.at());\n', 'text') },
  );
  const { repository, base, head } = made;
  const runVariant = made.running(NODE, {
    'a.test.mjs': [
      "import assert from 'node:assert';",
      "import test from 'node:test';",
      "import { shout } from './src/shout.js';",
      "test('AC-1: takes anything', () => assert.equal(shout([true]), 'TRUE'));",
    ].join('\n'),
  });
  const headCases = await runVariant({ of: 'head', edits: new Map() }, signal);
  const errors = errorsIn(await runVariant(ghostBase(await made.change()), signal));
  expect([...errors.values()]).toEqual([expect.stringContaining('is not a function')]);
  const exam = await breakChange({
    repository,
    base,
    head,
    runVariant,
    headCases,
    errors,
    claims: [],
    budget_ms: LIMIT_MS,
    mutants: 24,
    jobs: 1,
    signal,
  });
  expect(summary(exam)).toEqual(['src/shout.js:2-2 proven', 'src/shout.js:4-4 proven']);
});

test('test runs of an earlier exam are not repeated', { timeout: LIMIT_MS }, async () => {
  const made = await sample(TWO.before, TWO.after);
  const { repository, base, head } = made;
  const runVariant = made.running(TWO.command, TWO.tests);
  const headCases = await runVariant({ of: 'head', edits: new Map() }, signal);
  const claims = headCases.cases.map(({ id }) => ({ test: id, kind: 'behaviour' as const }));
  const known = new Map<string, VariantResult>();
  const limits = { budget_ms: LIMIT_MS, mutants: 24, jobs: 1 };
  const exam = () =>
    breakChange({ repository, base, head, runVariant, headCases, claims, known, signal, ...limits });
  const first = await exam();
  const all = [...known.keys()];
  expect(all.length).toBeGreaterThan(3);
  for (const key of all.slice(3)) known.delete(key);
  made.runs = 0;
  expect(await exam()).toEqual({ ...first, duration_ms: expect.any(Number) });
  expect(made.runs).toBe(all.length - 3);
  expect([...known.keys()]).toEqual(all);
});

test('no faults are planted if the maximum is 0', { timeout: LIMIT_MS }, async () => {
  const { exam } = await examined(TWO, { mutants: 0 });
  expect(exam.counts.mutants).toMatchObject({ tried: 0 });
});

test('a fault that makes the tests loop forever is noticed, and the tests are killed', {
  timeout: LIMIT_MS,
}, async () => {
  const { exam } = await examined({
    name: 'a loop',
    command: TWO.command,
    before: { 'package.json': '{"type":"module"}', 'src/a.js': 'export const a = n => n;\n' },
    after: {
      'src/a.js':
        'export const a = n => {\n  let x = n;\n  while (x > 0) {\n    x -= n;\n  }\n  return x;\n};\n',
    },
    tests: {
      'a.test.mjs':
        'import test from "node:test";\nimport assert from "node:assert";\nimport { a } from "./src/a.js";\ntest("AC-1: a", () => assert.equal(a(3), 0));\n',
    },
    expected: [],
  });
  expect(exam.mutants).toContainEqual(
    expect.objectContaining({ line: 4, change: '`x -= n;` → `;`', killed: true, killers: [] }),
  );
});

test('aborting the signal stops the exam', { timeout: LIMIT_MS }, async () => {
  const made = await sample(TWO.before, TWO.after);
  const ending = new AbortController();
  const { repository, base, head } = made;
  const runVariant = made.running(TWO.command, TWO.tests);
  const headCases = await runVariant({ of: 'head', edits: new Map() }, signal);
  const examination = breakChange({
    repository,
    base,
    head,
    headCases,
    claims: [],
    budget_ms: LIMIT_MS,
    mutants: 9,
    jobs: 1,
    signal: ending.signal,
    runVariant(...of) {
      ending.abort(new Error('ended by a person'));
      return runVariant(...of);
    },
  });
  await expect(examination).rejects.toThrow('ended by a person');
});
