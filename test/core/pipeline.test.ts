/** How long a step may take. */
import { expect, test } from 'vitest';
import { pipelineOf, timeoutOf } from '../../src/core/pipeline.ts';
import { setupWith } from '../helpers/fake-world.ts';

test("the project's own checks have time for every run that may be needed, each within its own limit", () => {
  const pipeline = pipelineOf({ external: true, prepared: false, checked: true, extra: [] });
  const checks = ['test', 'lint'].map(name => ({ name, command: name, timeout_ms: 600_000 }));
  const setup = { ...setupWith({}), pipeline, checks };
  const step = pipeline.find(({ kind }) => kind === 'checks')!;
  expect(timeoutOf(setup, step)).toBeGreaterThanOrEqual(2 * 6 * 600_000);
});

test("the project's own checks come after the tests, and only where there are any", () => {
  const shape = { external: true, prepared: false, extra: [] };
  const names = (steps: ReturnType<typeof pipelineOf>) => steps.map(({ name }) => name);
  expect(names(pipelineOf({ ...shape, checked: true }))).toEqual([
    ...['refine', 'build', 'generate', 'execute', 'checks', 'analyse', 'gate'],
  ]);
  expect(names(pipelineOf(shape))).not.toContain('checks');
});
