/** Every slow test suite has a script, and CI runs it. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SUITES } from '../suite.ts';

const text = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

test.each(Object.keys(SUITES))('test:%s is a script of package.json and a line of .ci/run', name => {
  const { scripts } = JSON.parse(text('package.json')) as { scripts: Record<string, string> };
  expect(scripts[`test:${name}`]).toBe(`vitest run --config test/${name}/vitest.config.ts`);
  expect(text('.ci/run').split('\n')).toContain(`npm run test:${name}`);
});
