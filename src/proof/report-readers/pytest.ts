/** Reads the summary lines of pytest. Used only when there is no report to parse. */
import { addUp, type ReadReport, resultsOf } from '../test-results.ts';

const PYTEST =
  /^(?:=+ )?((?:\d+ (?:failed|passed|skipped|deselected|xfailed|xpassed|warnings?|errors?|subtests \w+)(?:, )?)+) in [\d.]+s(?: \([\d:]+\))?(?: =+)?$/gm;
const PYTEST_FAILED = /^(?:FAILED|ERROR|SUBFAILED\(.*?\)) (\S+(?:\[.*?\])?)(?: - .*)?$/gm;

export const readPytest: ReadReport = text =>
  addUp(
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
    [...text.matchAll(PYTEST_FAILED)].map(match => match[1]!),
  );
