/** The work of an exam apart from its runs is bounded, because nothing stops this work when the time is up. */
import { expect, test } from 'vitest';
import type { VariantResult } from '../../../src/formats/exam/runs-of-unfinished-exam.ts';
import { type ChangedFile, withFewerAtoms } from '../../../src/proof/exam/changed-code.ts';
import { placesIn, plantFaults } from '../../../src/proof/exam/faults/plant-faults.ts';
import { type CodeLanguage, languageOfFile } from '../../../src/proof/exam/syntax/languages.ts';
import { takeOutUnits } from '../../../src/proof/exam/take-out-units.ts';
import { unitsOf } from '../../../src/proof/exam/units.ts';

const FUNCTIONS = 60;

function largeFile() {
  const { comment, grammar } = languageOfFile('a.js')!;
  const { parser } = grammar!;
  const seen = { parses: 0 };
  const counting = {
    parse: (text: string) => {
      seen.parses += 1;
      return parser.parse(text);
    },
  } as typeof parser;
  const language: CodeLanguage = { comment, grammar: { ...grammar!, parser: counting } };
  const head = Array.from(
    { length: FUNCTIONS },
    (_, n) => `export function f${n}(a) {\n  if (a < ${n}) return a + 1;\n  return a * 2;\n}\n`,
  ).join('');
  const atoms = [{ head: { from: 0, to: 4 * FUNCTIONS }, base: { from: 0, to: 0 } }];
  const file: ChangedFile = { path: 'a.js', basePath: null, base: null, head, language, atoms };
  return { units: unitsOf({ code: [file], others: [] }), seen };
}

const noticed: VariantResult = { failures: [{ test: 'a', failure: 'error' }], result: 'red' };

test('plantFaults generates only the faults that it plants', async () => {
  const { units, seen } = largeFile();
  const results = new Map(
    units.map(unit => [unit, { status: 'reached' as const, removedWith: [], failures: [] }]),
  );
  seen.parses = 0;
  const planted = await plantFaults(
    placesIn(results, () => true),
    {
      jobs: 1,
      count: 0,
      isOutOfTime: false,
      isNoticed: () => false,
      isEvidence: () => false,
      resultOf: () => Promise.resolve(noticed),
    },
    { max: 3 },
  );
  expect(planted).toHaveLength(3);
  expect(seen.parses).toBeLessThan(FUNCTIONS);
});

test('once the time is up, nothing more is examined', async () => {
  const { units, seen } = largeFile();
  const runs = {
    jobs: 1,
    count: 0,
    isOutOfTime: false,
    looks: 0,
    isNoticed: () => false,
    isEvidence: () => false,
  };
  const resultOf = () => {
    runs.looks += 1;
    runs.isOutOfTime = true;
    return Promise.resolve(null);
  };
  seen.parses = 0;
  const results = await takeOutUnits(units, Object.assign(runs, { resultOf }));
  expect([...results.values()].map(({ status }) => status)).toEqual(units.map(() => 'not-run'));
  expect(runs.looks).toBe(1);
  expect(seen.parses).toBeLessThan(FUNCTIONS);
});

const LANGUAGE = languageOfFile('a.js')!;

/** Every second line is changed. */
function reformatted(lines: number): ChangedFile {
  const head = '  call("something", 1);\n'.repeat(lines);
  const atoms = Array.from({ length: lines / 2 }, (_, n) => {
    const line = { from: 2 * n, to: 2 * n + 1 };
    return { head: line, base: line };
  });
  return { path: 'a.js', basePath: 'a.js', base: head, head, language: LANGUAGE, atoms };
}

test('withFewerAtoms leaves a small change as it is', () => {
  const code = [reformatted(100)];
  expect(withFewerAtoms(code)).toEqual(code);
});

test('withFewerAtoms joins neighbouring atoms if whole files changed, to limit the time needed to compare them', () => {
  const code = [reformatted(2000), reformatted(4000)];
  const [short, long] = withFewerAtoms(code).map(({ atoms }) => atoms);
  expect(long!.length).toBeLessThan(700);
  for (const [lines, atoms] of [
    [2000, short],
    [4000, long],
  ] as const) {
    const covered = new Set(
      atoms!.flatMap(({ head: { from, to } }) => Array.from({ length: to - from }, (_, n) => from + n)),
    );
    expect([...Array(lines / 2).keys()].every(n => covered.has(2 * n))).toBe(true);
    expect(atoms!.every(({ head, base }) => head.from === base.from && head.to === base.to)).toBe(true);
  }
});
