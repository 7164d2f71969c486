/** Reads the summary lines of `node --test`: `# tests 3` in TAP, `ℹ tests 3` in the spec reporter. */
import { addUp, type ReadReport, resultsOf, type TestResults, withFiles } from '../test-results.ts';

const SUMMARY =
  /^([#ℹ]) tests (\d+)\n(?:\1 suites \d+\n)?\1 pass (\d+)\n\1 fail (\d+)\n\1 cancelled (\d+)\n\1 skipped (\d+)\n\1 todo (\d+)$/gm;

/** Returns the counts of each execution of the test runner. A cancelled test counts as failed. */
export const nodeSummaries = (text: string): TestResults[] =>
  [...text.matchAll(SUMMARY)].map(([, , , passed, failed, cancelled, skipped, todo]) =>
    resultsOf(
      {
        passed: Number(passed),
        failed: Number(failed) + Number(cancelled),
        skipped: Number(skipped) + Number(todo),
      },
      [],
    ),
  );

export const readNodeSummary: ReadReport = text => {
  const summed = addUp(nodeSummaries(text), failedNames(text));
  return summed && withFiles(summed, passedNames(text));
};

/** Names of the top-level tests that passed. */
const passedNames = (text: string): string[] =>
  [...text.matchAll(/^✔ (.+) \([\d.]+ms\)$/gm)].map(match => match[1]!);

const failedNames = (text: string): string[] =>
  [...text.matchAll(/^test at .*\n✖ (.+?)(?: \([\d.]+ms\))?$/gm)].map(match => match[1]!);
