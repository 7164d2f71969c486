/** Part of `verifier/exam.json`: what the Verifier's tests notice when parts of the change are reverted or broken. */
import { z } from 'zod';
import { hash } from '../schema/common-fields.ts';
import { failureKind } from '../test-cases.ts';

export const unitStatus = z
  .enum([
    'proven',
    'together',
    'reached',
    'unseen',
    'untested',
    'not-loaded',
    'breaks',
    'not-code',
    'types-only',
    'not-run',
  ])
  .describe(
    'proven: without it, an assertion fails, or a test fails with the same error as on base; together: an assertion fails only if it and the units in `with` are reverted together; reached: without it, tests fail, but no assertion does; unseen: all tests pass without it, but one notices a fault in it; untested: all tests pass without it and with faults in it; not-loaded: no test loads the file; breaks: the code cannot be loaded without it; not-code: comments, white space, or a doc string that no test notices; types-only: removed by the compiler; not-run: the time ran out',
  );
export type UnitStatus = z.infer<typeof unitStatus>;

/** A range of lines, from the first to the last inclusive, counted from 1. */
const lineRange = z.strictObject({ first: z.int().positive(), last: z.int().positive() });
export type LineRange = z.infer<typeof lineRange>;

const killer = z.strictObject({
  test: z.string().describe('id of the test, as in test-cases.json'),
  failure: failureKind,
});
export type Killer = z.infer<typeof killer>;

const unit = z.strictObject({
  id: z.string().describe('u1, u2, …'),
  file: z.string(),
  lines: lineRange.nullable().describe('lines in the result; null if the unit only removes lines'),
  base_lines: lineRange.nullable().describe('lines in the base commit; null if the unit only adds lines'),
  at: z
    .int()
    .nonnegative()
    .describe('the line of the result that the unit is in or follows; 0: before the first line'),
  status: unitStatus,
  with: z.array(z.string()).optional().describe('units that were reverted with it'),
  moved: z
    .literal(true)
    .optional()
    .describe(
      'its lines only moved: the change removes and adds the same lines; this says nothing about behaviour',
    ),
  moved_lines: z
    .array(lineRange)
    .optional()
    .describe('those of `lines` that only moved, or of `base_lines` if `lines` is null; absent if `moved`'),
  killers: z.array(killer).describe('tests that fail without it, at most 3'),
});
export type ExamUnit = z.infer<typeof unit>;

const defendedLines = z.strictObject({
  file: z.string(),
  side: z.enum(['new', 'old']).describe('old: lines of the base commit that the result deletes'),
  ...lineRange.shape,
  defence: z
    .enum(['defended', 'weak', 'undefended', 'unknown'])
    .describe(
      'defended: without them, an assertion fails, or a test fails with the same error as on base; weak: a fault in them goes unnoticed, or no assertion fails without them; undefended: all tests pass without them; unknown: not examined, not code, or only moved and needed by tests',
    ),
  status: unitStatus,
  moved: z.literal(true).optional().describe('the lines only moved'),
  tests: z.array(z.string()).describe('tests that fail without them or with a fault in them'),
  survived: z.array(z.string()).describe('faults in them that no test noticed, such as `<` → `<=`'),
});
export type DefendedLines = z.infer<typeof defendedLines>;

export const linesOfResult = z
  .array(defendedLines)
  .nullable()
  .describe(
    'whether tests defend the changed lines; lines that are not listed were not examined; null if none were',
  );

const mutant = z.strictObject({
  id: z.string().describe('m1, m2, …'),
  unit: z.string(),
  file: z.string(),
  line: z.int().positive(),
  change: z.string().describe('what was changed, such as `<` → `<=`'),
  killed: z.boolean().describe('false: all tests passed'),
  killers: z.array(killer).describe('tests that failed, at most 3'),
});
export type ExamMutant = z.infer<typeof mutant>;

/** A failure of a test that claims a criterion, on a variant in which a part of the change is reverted or broken. */
const kill = killer.extend({
  by: z
    .array(z.string())
    .describe('units, a mutant, or k1, k2, …: a fault in an unchanged or moved line of a changed file'),
  line: z.string().optional().describe('first line of the failure'),
});
export type Kill = z.infer<typeof kill>;

const numbered = Object.fromEntries(unitStatus.options.map(status => [status, z.int()])) as Record<
  UnitStatus,
  z.ZodInt
>;

export const exam = z.strictObject({
  base: hash,
  tree: z.string().describe('git tree of the tested output'),
  tests_tree: z.string().describe('git tree of the verifier folder that was run'),
  runs: z.int().nonnegative(),
  duration_ms: z.number(),
  complete: z.boolean().describe('false: the time ran out'),
  units: z.array(unit),
  mutants: z.array(mutant),
  kills: z.array(kill).describe('failures of tests that claim a criterion, at most 8 per test'),
  counts: z.strictObject({
    units: z.int(),
    statuses: z.strictObject(numbered).describe('units by status'),
    mutants: z.strictObject({
      tried: z.int(),
      killed: z.int(),
      low: z
        .number()
        .nullable()
        .describe(
          'lower bound of the 95% confidence interval for the share of killed faults; null if none was tried',
        ),
      high: z.number().nullable(),
    }),
  }),
});
export type Exam = z.infer<typeof exam>;
