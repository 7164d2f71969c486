/** Reads the JSON report format shared by vitest (`--reporter=json`) and jest (`--json`). */
import { z } from 'zod';
import { type Failure, failureKindOf, failureOf, thrownIn } from '../failure-kind.ts';
import {
  addUp,
  firstLine,
  type ReadReport,
  type ReadTests,
  resultsOf,
  type TestCase,
  type TestResults,
  testName,
} from '../test-results.ts';
import { jsonObjects } from './json-in-output.ts';
import { stripAnsi } from './strip-ansi.ts';

const count = z.int().nonnegative();
const report = z.object({
  numTotalTests: count,
  numPassedTests: count,
  numFailedTests: count,
  testResults: z.array(
    z.object({
      name: z.string().default(''),
      status: z.string().default(''),
      message: z.string().nullish(),
      assertionResults: z
        .array(
          z.object({
            title: z.string().default(''),
            ancestorTitles: z.array(z.string()).default([]),
            fullName: z.string().optional(),
            status: z.string(),
            failureMessages: z.array(z.string()).nullish(),
            failureDetails: z.array(z.unknown()).nullish(),
          }),
        )
        .default([]),
    }),
  ),
  coverageMap: z.unknown().optional(),
});
type JsonReport = z.infer<typeof report>;
type JsonFile = JsonReport['testResults'][number];
type JsonTest = JsonFile['assertionResults'][number];

export const jsonReports = (text: string): JsonReport[] =>
  jsonObjects(text, /\{\s*"num(?:Total|Failed|Passed|Pending)Test(?:Suite)?s"\s*:/g).flatMap(
    value => report.safeParse(value).data ?? [],
  );

export const readJsonReporter: ReadReport = text => addUp(jsonReports(text).map(resultsOfReport));

/** A file that failed without a failed test, for example because it could not be loaded, counts as one test. */
const failedOutsideTests = (file: JsonFile): boolean =>
  file.status === 'failed' && !file.assertionResults.some(test => test.status === 'failed');

export const jsonReporterTests: ReadTests = text =>
  jsonReports(text).flatMap(({ testResults }) =>
    testResults.flatMap(file => {
      const tests = file.assertionResults.map(
        (test): TestCase => ({
          name: testName(file.name, [...test.ancestorTitles, test.title]),
          status: test.status === 'passed' || test.status === 'failed' ? test.status : 'skipped',
          ...(test.status === 'todo' && { todo: true }),
          ...(test.status === 'failed' && { failure: failureIn(test) }),
        }),
      );
      const failure = failureOf(tests.length > 0 ? 'error' : 'load', file.message ?? '');
      return failedOutsideTests(file)
        ? [...tests, { name: testName(file.name, []), status: 'failed', failure }]
        : tests;
    }),
  );

/** jest adds details: `matcherResult` for `expect`, and only a message for `node:assert`. */
const detail = z.union([
  z.object({ matcherResult: z.looseObject({}) }),
  z.strictObject({ message: z.string().startsWith('assert') }),
]);

/**
 * Matches the start of an assertion's message in reports without class or details: of `expect` in jest, of
 * `node:assert` in jest before 26, and of `expect`, `node:assert` and snapshots in vitest before 1.
 */
const ASSERTION =
  /^(?:Error: expect\(|assert(?:\.\w+)*\(|[Ee]xpected [\s\S]+ to (?:not )?(?:be|contain|deeply|equal|exist|have|include|match|satisfy|strictly|throw)\b|promise re(?:solved|jected) .* instead of re(?:solv|ject)ing|Snapshot `[\s\S]+` mismatched)/;

function failureIn({ failureMessages, failureDetails }: JsonTest): Failure {
  const message = stripAnsi(failureMessages?.[0] ?? '');
  const isAssertion = ASSERTION.test(message) || detail.safeParse(failureDetails?.[0]).success;
  return failureOf(isAssertion ? 'assert' : failureKindOf(thrownIn(message)), message);
}

function resultsOfReport({
  numTotalTests,
  numPassedTests,
  numFailedTests,
  testResults,
}: JsonReport): TestResults {
  // A file that cannot be loaded has no tests, so the totals above do not include it.
  const unloaded = testResults.filter(failedOutsideTests);
  return resultsOf(
    {
      passed: numPassedTests,
      failed: numFailedTests + unloaded.length,
      skipped: Math.max(0, numTotalTests - numPassedTests - numFailedTests),
    },
    [
      ...testResults.flatMap(file =>
        file.assertionResults
          .filter(test => test.status === 'failed')
          .map(test => test.fullName?.trim() || test.title),
      ),
      ...unloaded.map(file => `${file.name}: ${firstLine(file.message ?? '')}`),
    ],
  );
}
