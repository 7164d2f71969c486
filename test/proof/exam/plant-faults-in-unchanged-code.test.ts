import { expect, test } from 'vitest';
import type { Criterion } from '../../../src/formats/exam/acceptance-criteria.ts';
import type { VariantResult } from '../../../src/formats/exam/runs-of-unfinished-exam.ts';
import type { ChangedFile } from '../../../src/proof/exam/changed-code.ts';
import { functionsIn } from '../../../src/proof/exam/faults/empty-declarations.ts';
import { plantAround } from '../../../src/proof/exam/faults/plant-faults-in-unchanged-code.ts';
import { languageOfFile } from '../../../src/proof/exam/syntax/languages.ts';
import { lineAt } from '../../../src/proof/exam/syntax/text-lines.ts';
import { keptBehaviourWords } from '../../../src/proof/exam/words-in-keeps-tests.ts';
import { testFile } from './test-file.ts';

const FUNCTIONS = 40;
const CHANGED = 20;
const LINES = 4;
const HEAD = Array.from(
  { length: FUNCTIONS },
  (_, n) => `export function f${n}(a) {\n  if (a < ${n}) return a + 1;\n  return a * 2;\n}\n`,
).join('');

/** One line of the function in the middle is changed. */
function largeFile(head = HEAD): ChangedFile {
  const line = { from: LINES * CHANGED + 1, to: LINES * CHANGED + 2 };
  const language = languageOfFile('a.js')!;
  return {
    path: 'a.js',
    basePath: 'a.js',
    base: head,
    head,
    language,
    atoms: [{ head: line, base: line }],
  };
}

/** The functions in which faults were planted, in this order, until one was planted in `exercised`. */
async function brokenFunctions(words: readonly string[], exercised: string): Promise<string[]> {
  const planted: string[] = [];
  const original = HEAD.split('\n');
  const green: VariantResult = { failures: [], result: 'green' };
  const failed: VariantResult = { failures: [{ test: 'a', failure: 'assert' }], result: 'assert' };
  await plantAround(
    [largeFile()],
    { tests: new Set(['a']), words: new Set(words) },
    {
      jobs: 1,
      count: 0,
      isOutOfTime: false,
      isNoticed: () => true,
      isEvidence: () => true,
      resultOf: async ({ edits }) => {
        const lines = String(edits.get('a.js')).split('\n');
        const line = original.findIndex((each, n) => each !== lines[n]);
        planted.push(`f${Math.floor(line / LINES)}`);
        return planted.at(-1) === exercised ? failed : green;
      },
    },
  );
  return planted;
}

test('faults for tests of kept behaviour are planted first in the functions that the tests name', async () => {
  expect(await brokenFunctions(['limit', 'f3', 'f38'], 'f38')).toEqual(['f3', 'f38']);
});

test('if the tests name no functions, faults are planted first in the changed functions, then by distance from the change', async () => {
  const planted = await brokenFunctions([], 'f22');
  expect([...new Set(planted)]).toEqual(['f20', 'f19', 'f21', 'f18', 'f22']);
  const all = await brokenFunctions(['f3'], 'none');
  expect(new Set(all.slice(0, 2))).toEqual(new Set(['f3']));
  expect(all.at(-1)).not.toBe('f3');
});

test.each([
  [
    'a.js',
    'const a = 1, f = async (b = c) => b;\nexports.g = function () {};\nexport default () => 1;',
    ['f', 'g', null],
  ],
  [
    'a.ts',
    'class A {\n  async m(x: B) { return x; }\n  n: C<D> = () => 1;\n}\nconst o = { p: () => 2 };',
    ['m', 'n', 'p'],
  ],
  ['a.py', '@once("x")\ndef f(x): return x\n\nclass A:\n    async def g(self): return 1', ['f', 'g']],
  ['a.go', 'package a\n\nfunc (t *T) M(x int) int { return x }\n\nfunc F() {}\n', ['M', 'F']],
])('functionsIn finds the functions in %s with their names, in order', (path, code, names) => {
  const { parser } = languageOfFile(path)!.grammar!;
  const found = functionsIn(parser.parse(code), code);
  expect(found.map(({ name }) => name)).toEqual(names);
  expect(found.map(({ from }) => lineAt(code, from))).toEqual(
    found.map(({ from }) => lineAt(code, from)).sort(),
  );
});

test('keptBehaviourWords returns the words in tests of kept behaviour, but none from other tests', () => {
  const text = [
    "import { added, kept } from './a.mjs';",
    'const show = () => kept(1);',
    "test('AC-1: new', () => assert.equal(added(1), 2));",
    "test('AC-2: old', () => assert.equal(show(), 1));",
    '',
  ].join('\n');
  const criteria: Criterion[] = [
    { id: 'AC-1', kind: 'behaviour', text: '`other` is new.' },
    { id: 'AC-2', kind: 'keeps', text: '`limit(1)` stays the same.' },
  ];
  const words = keptBehaviourWords([testFile('a.test.mjs', text)], criteria, [
    { test: 'AC-1: new', kind: 'behaviour' },
    { test: 'AC-2: old', kind: 'keeps' },
  ]);
  expect([...words]).toEqual(expect.arrayContaining(['kept', 'show', 'limit']));
  expect([...words]).not.toContain('added');
  expect([...words]).not.toContain('other');
});

test('a fault in unchanged code is not evidence for a test of behaviour that the change adds', async () => {
  const failures: VariantResult['failures'] = [
    { test: 'a', failure: 'assert' },
    { test: 'added', failure: 'assert' },
  ];
  const seen = await plantAround(
    [largeFile()],
    { tests: new Set(['a']), words: new Set() },
    {
      jobs: 1,
      count: 0,
      isOutOfTime: false,
      isNoticed: () => true,
      isEvidence: () => true,
      resultOf: async () => ({ failures, result: 'assert' }),
    },
  );
  expect(seen.flat()).toContainEqual(failures[0]);
  expect(seen.flat()).not.toContainEqual(failures[1]);
});

test('in a long function that a test names, faults are planted first in the lines with the rarest words of the test', async () => {
  const long = Array.from({ length: 60 }, (_, n) => `  if (a === ${n}) throw new Error('e${n}');\n`).join('');
  const file = largeFile(`export function check(a) {\n${long}}\n${HEAD}`);
  const lines: number[] = [];
  await plantAround(
    [file],
    { tests: new Set(['a']), words: new Set(['check', 'Error', 'e47']) },
    {
      jobs: 1,
      count: 0,
      isOutOfTime: false,
      isNoticed: () => true,
      isEvidence: () => true,
      resultOf: async ({ edits }) => {
        const text = String(edits.get('a.js')).split('\n');
        lines.push(file.head!.split('\n').findIndex((each, n) => each !== text[n]));
        return { failures: [], result: 'green' };
      },
    },
  );
  expect(lines[0]).toBe(48);
});
