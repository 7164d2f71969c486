/** The report of `mocha --reporter json`. */
import { z } from 'zod';
import { addUp, type ReadReport, resultsOf } from '../report.ts';
import { jsonObjects } from './text.ts';

const count = z.int().nonnegative();
const report = z.object({
  stats: z.object({ passes: count, pending: count, failures: count }),
  failures: z
    .array(z.object({ title: z.string().default(''), fullTitle: z.string().optional() }))
    .default([]),
});

/** A failed hook is among `failures` though mocha does not call it a test: it counts as a failed one. */
export const readMochaJson: ReadReport = text =>
  addUp(
    jsonObjects(text, /\{\s*"stats"\s*:/g).flatMap(value => {
      const read = report.safeParse(value);
      if (!read.success) return [];
      const { stats, failures } = read.data;
      return [
        resultsOf(
          { passed: stats.passes, failed: stats.failures, skipped: stats.pending },
          failures.map(test => test.fullTitle ?? test.title),
        ),
      ];
    }),
  );
