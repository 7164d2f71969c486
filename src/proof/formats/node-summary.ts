/** The closing lines of `node --test`: `# tests 3` in its TAP, `ℹ tests 3` in its report for people. */
import { addUp, type ReadReport, type Results, resultsOf, withFiles } from '../report.ts';

const SUMMARY =
  /^([#ℹ]) tests (\d+)\n(?:\1 suites \d+\n)?\1 pass (\d+)\n\1 fail (\d+)\n\1 cancelled (\d+)\n\1 skipped (\d+)\n\1 todo (\d+)$/gm;

/** One for every time the runner was started. A test that was cancelled did not pass. */
export const nodeSummaries = (text: string): Results[] =>
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
  const summed = addUp(nodeSummaries(text));
  return summed && withFiles(resultsOf(summed.counts, failedNames(text)), passedNames(text));
};

/** Of those at the top. */
const passedNames = (text: string): string[] =>
  [...text.matchAll(/^✔ (.+) \([\d.]+ms\)$/gm)].map(match => match[1]!);

const failedNames = (text: string): string[] =>
  [...text.matchAll(/^test at .*\n✖ (.+?)(?: \([\d.]+ms\))?$/gm)].map(match => match[1]!);
