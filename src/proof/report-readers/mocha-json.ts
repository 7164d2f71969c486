/** Reads the report of `mocha --reporter json`. */
import { z } from 'zod';
import { type Failure, failureKindOf, failureOf, thrownIn } from '../failure-kind.ts';
import {
  addUp,
  type ReadReport,
  type ReadTests,
  resultsOf,
  type TestCase,
  testName,
} from '../test-results.ts';
import { jsonObjects } from './json-in-output.ts';

const count = z.int().nonnegative();
const tests = z
  .array(
    z.object({
      title: z.string().default(''),
      fullTitle: z.string().optional(),
      file: z.string().nullish(),
      err: z
        .looseObject({
          name: z.unknown().optional(),
          code: z.unknown().optional(),
          message: z.unknown().optional(),
        })
        .optional(),
    }),
  )
  .default([]);
const report = z.object({
  stats: z.object({ passes: count, pending: count, failures: count }),
  passes: tests,
  pending: tests,
  failures: tests,
});

const reportsIn = (text: string): z.infer<typeof report>[] =>
  jsonObjects(text, /\{\s*"stats"\s*:/g).flatMap(value => report.safeParse(value).data ?? []);

/** Mocha lists a failed hook in `failures` without counting it as a test. Dure counts it as a failed test. */
export const readMochaJson: ReadReport = text =>
  addUp(
    reportsIn(text).map(({ stats, failures }) =>
      resultsOf(
        { passed: stats.passes, failed: stats.failures, skipped: stats.pending },
        failures.map(test => test.fullTitle ?? test.title),
      ),
    ),
  );

export const mochaJsonTests: ReadTests = text =>
  reportsIn(text).flatMap(({ passes, pending, failures }) => {
    const listed = (those: typeof passes, status: TestCase['status']) =>
      those.map(({ file, fullTitle, title, err }) => ({
        name: testName(file ?? undefined, [fullTitle ?? title]),
        status,
        ...(status === 'failed' && { failure: failureIn(err ?? {}) }),
      }));
    return [...listed(passes, 'passed'), ...listed(pending, 'skipped'), ...listed(failures, 'failed')];
  });

/** Mocha reports only an error's own properties. Most errors inherit their class name, so only the stack has it. */
function failureIn(err: Readonly<Record<string, unknown>>): Failure {
  const text = (key: string) => (typeof err[key] === 'string' ? err[key] : undefined);
  const thrown = thrownIn(text('stack') ?? '');
  const { name = thrown.name, code = thrown.code } = { name: text('name'), code: text('code') };
  const message = text('message') ?? '';
  const kind = code === 'ERR_MOCHA_TIMEOUT' ? 'timeout' : failureKindOf({ name, code, message });
  return failureOf(kind, message);
}
