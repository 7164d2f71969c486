/** Reads the summary lines of pytest and unittest. Used only when there is no report to parse. */
import { addUp, type ReadReport, type ReadTests, resultsOf, type TestCase } from '../report.ts';

const PYTEST =
  /^(?:=+ )?((?:\d+ (?:failed|passed|skipped|deselected|xfailed|xpassed|warnings?|errors?)(?:, )?)+) in [\d.]+s(?: \([\d:]+\))?(?: =+)?$/gm;
const PYTEST_FAILED = /^(?:FAILED|ERROR) (\S+(?:\[.*?\])?)(?: - .*)?$/gm;

export const readPytest: ReadReport = text => {
  const all = addUp(
    [...text.matchAll(PYTEST)].map(([, line]) => {
      const of = (word: string) => Number(new RegExp(`(\\d+) ${word}`).exec(line!)?.[1] ?? 0);
      return resultsOf(
        {
          passed: of('passed') + of('xpassed'),
          failed: of('failed') + of('errors?\\b'),
          skipped: of('skipped') + of('xfailed'),
        },
        [],
      );
    }),
  );
  return (
    all &&
    resultsOf(
      all.counts,
      [...text.matchAll(PYTEST_FAILED)].map(match => match[1]!),
    )
  );
};

const UNITTEST = /^Ran (\d+) tests? in [\d.]+s\n\n(OK|FAILED|NO TESTS RAN)(?: \((.*)\))?$/gm;
const UNITTEST_FAILED = /^=+\n(?:FAIL|ERROR): (.+)$/gm;

export const readUnittest: ReadReport = text => {
  const all = addUp(
    [...text.matchAll(UNITTEST)].map(([, ran, , counts = '']) => {
      const of = (word: string) => Number(new RegExp(`\\b${word}=(\\d+)`).exec(counts)?.[1] ?? 0);
      const failed = of('failures') + of('errors') + of('unexpected successes');
      const skipped = of('skipped') + of('expected failures');
      return resultsOf({ passed: Math.max(0, Number(ran) - failed - skipped), failed, skipped }, []);
    }),
  );
  return (
    all &&
    resultsOf(
      all.counts,
      [...text.matchAll(UNITTEST_FAILED)].map(match => match[1]!),
    )
  );
};

const UNITTEST_TEST =
  /^(\w+ \([\w.]+\))(?:\n[^\n]*?)?? \.\.\. (ok|FAIL|ERROR|skipped .*|expected failure|unexpected success)$/gm;

/** Only `python -m unittest -v` lists its tests. */
export const unittestTests: ReadTests = text =>
  [...text.matchAll(UNITTEST_TEST)].map(([, name, outcome]): TestCase => {
    const status =
      outcome === 'ok' ? 'passed' : /^(?:skipped|expected)/.test(outcome!) ? 'skipped' : 'failed';
    return { name: name!, status };
  });
