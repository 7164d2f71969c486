/** The roles of a pipeline, the time limits of its steps, and the steps during which checks can run. */
import { expect, test } from 'vitest';
import { canCheckAhead } from '../../src/core/policy/pipeline/can-check-ahead.ts';
import { agentRolesOf, stepThatYields, timeoutOf } from '../../src/core/policy/pipeline/look-up-steps.ts';
import { builtInPipeline, configWith } from '../helpers/built-in-pipeline.ts';
import { setupWith } from '../helpers/sample-setup.ts';

test('the checks step has enough time even if every possible execution of every check reaches its time limit', () => {
  const checks = ['test', 'lint'].map(name => ({ name, command: name, timeout_ms: 600_000 }));
  const pipeline = builtInPipeline({ config: configWith({ checks: true }) });
  const setup = { ...setupWith({}), pipeline, checks };
  expect(timeoutOf(setup, stepThatYields(setup, 'checks')!)).toBeGreaterThanOrEqual(2 * 6 * 600_000);
});

test('agents are listed in the order of their first steps, whichever role the set-up belongs to', () => {
  const pipeline = builtInPipeline({ config: configWith({ setup: true, checks: true }) });
  expect(pipeline[0]?.name).toBe('prepare');
  const roles = agentRolesOf({ ...setupWith({}), pipeline });
  expect(roles).toEqual(['refiner', 'builder', 'verifier', 'gatekeeper']);
});

test('checks can run ahead of their step while an agent works, once every step that yields a tree is sealed', () => {
  const during = (checks: boolean, sealed = {}) => {
    const pipeline = builtInPipeline({ config: configWith({ checks }) });
    const setup = { ...setupWith({}), pipeline };
    return pipeline.flatMap(({ name }) => (canCheckAhead({ setup, sealed, step: name }) ? [name] : []));
  };
  const build = { commit: 'c', tree: 't', ref: 'r' };
  expect(during(true, { build })).toEqual(['generate']);
  expect(during(true)).toEqual([]);
  expect(during(false, { build })).toEqual([]);
});
