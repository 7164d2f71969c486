/** Time limits of steps. */
import { expect, test } from 'vitest';
import { stepThatYields, timeoutOf } from '../../src/core/policy/pipeline.ts';
import { builtInPipeline, configWith } from '../helpers/pipeline.ts';
import { setupWith } from '../helpers/setup.ts';

test('the checks have enough time for every possible run, each with its own limit', () => {
  const checks = ['test', 'lint'].map(name => ({ name, command: name, timeout_ms: 600_000 }));
  const pipeline = builtInPipeline({ config: configWith({ checks: true }) });
  const setup = { ...setupWith({}), pipeline, checks };
  expect(timeoutOf(setup, stepThatYields(setup, 'checks')!)).toBeGreaterThanOrEqual(2 * 6 * 600_000);
});
