/** Reads the output of `python -m unittest`. Used only when there is no report to parse. */
import { type Failure, failureOf } from '../failure-kind.ts';
import { addUp, type ReadReport, type ReadTests, resultsOf, type TestCase } from '../test-results.ts';

/** The class may be defined in a function: `test_a (tests.load.<locals>.Loaded.test_a)`. */
const NAME = String.raw`[\w.]+ \([\w.<>]+\)`;
const SUMMARY = /^Ran (\d+) tests? in [\d.]+s\n\n(OK|FAILED|NO TESTS RAN)(?: \((.*)\))?$/gm;
/** The parameters of a subtest follow the name. */
const FAILED = new RegExp(String.raw`^=+\n(FAIL|ERROR): ((${NAME}).*)$`, 'gm');

export const readUnittest: ReadReport = text =>
  addUp(
    [...text.matchAll(SUMMARY)].map(([, ran, , counts = '']) => {
      const byName = new Map(counts.split(', ').map(count => count.split('=') as [string, string]));
      const of = (name: string) => Number(byName.get(name) ?? 0);
      const failed = of('failures') + of('errors') + of('unexpected successes');
      const skipped = of('skipped') + of('expected failures');
      return resultsOf({ passed: Math.max(0, Number(ran) - failed - skipped), failed, skipped }, []);
    }),
    [...text.matchAll(FAILED)].map(match => match[2]!),
  );

/** The first line of the test's docstring may appear between its name and its outcome. */
const STARTED = new RegExp(String.raw`^(${NAME})(?:\n[^\n]*?)?? \.\.\. `, 'gm');
/** An outcome follows what the test printed, or the name of a failed subtest and the docstring of its test. */
const OUTCOME = new RegExp(
  String.raw`^(?: {2}${NAME}.*(?:\n.*)? \.\.\. )?(ok|FAIL|ERROR|skipped .*|expected failure|unexpected success)$`,
  'gm',
);

/** Only `python -m unittest -v` lists its tests. */
export const unittestTests: ReadTests = text => {
  const failures = failuresIn(text);
  const listed = text.split(/^={70}$/m, 1)[0]!;
  const starts = [...listed.matchAll(STARTED)];
  return starts.flatMap(({ 0: head, 1: name, index }, n): TestCase[] => {
    const printed = listed.slice(index + head.length, starts[n + 1]?.index);
    const outcome = [...printed.matchAll(OUTCOME)].at(-1)?.[1];
    if (outcome === undefined) return [];
    if (outcome === 'ok') return [{ name: name!, status: 'passed' }];
    if (/^(?:skipped|expected)/.test(outcome)) return [{ name: name!, status: 'skipped' }];
    return [{ name: name!, status: 'failed', failure: failures.get(name!) ?? failureOf('error', '') }];
  });
};

/** The line of a traceback that names the exception. */
const THROWN = /^Traceback .*\n(?: .*\n|\n)*(\S.*)$/gm;

/**
 * Failures by test name. unittest calls a failed assertion FAIL, and everything else ERROR. A test fails in
 * the same way as its first failed subtest.
 */
function failuresIn(text: string): Map<string, Failure> {
  const failures = new Map<string, Failure>();
  const found = [...text.matchAll(FAILED)];
  found.forEach(({ 1: kind, 3: name, index }, n) => {
    if (failures.has(name!)) return;
    const thrown = [...text.slice(index, found[n + 1]?.index).matchAll(THROWN)].at(-1)?.[1] ?? '';
    const isLoad = name!.includes('(unittest.loader._FailedTest.');
    failures.set(name!, failureOf(kind === 'FAIL' ? 'assert' : isLoad ? 'load' : 'error', thrown));
  });
  return failures;
}
