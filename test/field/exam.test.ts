/** The exam of changes in Python and Go, and with vitest. */
import { test } from 'vitest';
import { checkStatuses, LIMIT_MS, missing } from '../proof/exam/examine-sample.ts';
import { NODE, SAMPLES } from '../proof/exam/sample-changes.ts';

for (const change of SAMPLES.filter(({ command }) => command !== NODE))
  test(`each unit gets the expected status: ${change.name}`, { timeout: 2 * LIMIT_MS }, async context => {
    const reason = missing(change);
    context.skip(reason !== null, reason ?? '');
    await checkStatuses(change);
  });
