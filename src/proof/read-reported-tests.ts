/**
 * Lists every test that a command reports, with names that are the same in every execution and checkout. This module is
 * pure.
 *
 * Only the best source is used: report files, otherwise printed reports, otherwise console lists. All formats in that
 * source are read, so that a command with two runners is covered.
 */

import type { CommandOutput } from './read-test-results.ts';
import { cargoTests } from './report-readers/cargo.ts';
import { goJsonTests, goTextTests } from './report-readers/go.ts';
import { junitTests } from './report-readers/junit.ts';
import { mochaJsonTests } from './report-readers/mocha-json.ts';
import { specListTests } from './report-readers/spec-reporter.ts';
import { packageOutputs } from './report-readers/split-output-by-package.ts';
import { stripAnsi } from './report-readers/strip-ansi.ts';
import { AVA_ERROR, AVA_EXIT, tapTests } from './report-readers/tap.ts';
import { unittestTests } from './report-readers/unittest.ts';
import { jsonReporterTests } from './report-readers/vitest-jest-json.ts';
import type { ReadTests, TestCase } from './test-results.ts';

const REPORTS: readonly ReadTests[] = [jsonReporterTests, mochaJsonTests, junitTests, tapTests, goJsonTests];
const LISTS: readonly ReadTests[] = [goTextTests, cargoTests, unittestTests, specListTests];

/**
 * Tests with the same name are numbered in the order of the report. `roots` are path prefixes to remove from names: the
 * path of the checkout, as passed and with symlinks resolved.
 */
export const readTests = (output: CommandOutput, roots: readonly string[]): TestCase[] =>
  numbered(testsIn(output, roots));

const ORDER = { passed: 0, skipped: 1, failed: 2 } as const;

/**
 * Like `readTests`, but with passed tests first, so that two outputs differ only if a different number of tests with
 * the same name passed.
 */
export const readTestsPassedFirst = (output: CommandOutput, roots: readonly string[]): TestCase[] =>
  numbered(testsIn(output, roots).toSorted((a, b) => ORDER[a.status] - ORDER[b.status]));

function testsIn(output: CommandOutput, roots: readonly string[]): TestCase[] {
  const printed = [output.stdout, output.stderr].flatMap(text => packageOutputs(stripAnsi(text)));
  const sources = [
    { texts: output.files.map(file => ({ prefix: '', text: file.text })), readers: REPORTS },
    { texts: printed, readers: REPORTS },
    { texts: printed, readers: LISTS },
  ];
  for (const { texts, readers } of sources) {
    const tests = texts.flatMap(({ prefix, text }) =>
      readers
        .flatMap(read => read(text))
        .map(test => (prefix ? { ...test, name: `${prefix} > ${test.name}` } : test)),
    );
    if (tests.length > 0) return withLoads(tests.map(test => ({ ...test, name: clean(test.name, roots) })));
  }
  return [];
}

const SCRIPT_FILE = /^[^\s:>]+\.[cm]?[jt]sx?(?=$|::| > )/;

/**
 * node, AVA and vitest report a script that failed outside its tests as a test with the name of the file. If no
 * other test can be from that file, it was not loaded. node does not say which files the other tests are in. If a file
 * exceeded its time limit, it is unknown which of its tests took too long.
 */
function withLoads(tests: readonly TestCase[]): TestCase[] {
  const isFile = ({ name }: TestCase) => SCRIPT_FILE.exec(name)?.[0] === name;
  const others = tests
    .filter(test => !isFile(test) && !AVA_ERROR.test(test.name))
    .map(test => SCRIPT_FILE.exec(test.name)?.[0]);
  return tests.map(test => {
    if (!test.failure || test.failure.kind === 'timeout' || !isFile(test)) return test;
    const loaded = others.some(file => file === undefined || file === test.name);
    return { ...test, failure: { ...test.failure, kind: loaded ? 'error' : 'load' } };
  });
}

const clean = (name: string, roots: readonly string[]): string =>
  roots
    .reduce((text, root) => relativeTo(root, text), name)
    .replace(/\s+/g, ' ')
    .trim()
    .replace(AVA_EXIT, '$1');

/** `/root/a.js` becomes `a.js`, and `/root` alone becomes `.`; `/root-2` stays. */
const relativeTo = (root: string, text: string): string =>
  text.split(root).reduce((before, after) => {
    if (after.startsWith('/')) return `${before}${after.slice(1)}`;
    return `${before}${/^[\w.-]/.test(after) ? root : '.'}${after}`;
  });

function numbered(tests: readonly TestCase[]): TestCase[] {
  const times = new Map<string, number>();
  return tests.map(test => {
    const n = (times.get(test.name) ?? 0) + 1;
    times.set(test.name, n);
    return n === 1 ? test : { ...test, name: `${test.name} #${n}` };
  });
}
