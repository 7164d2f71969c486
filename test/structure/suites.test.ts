/** Every slow test suite has a script, and CI runs it. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SUITES } from '../suite.ts';

const text = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

test.each(Object.keys(SUITES))('test:%s is a script in package.json and part of .ci/slow-suites', name => {
  const { scripts } = JSON.parse(text('package.json')) as { scripts: Record<string, string> };
  expect(scripts[`test:${name}`]).toBe(`vitest run --config test/${name}/vitest.config.ts`);
  expect(text('.ci/slow-suites')).toMatch(
    new RegExp(`^parts=\\(.*\\b${name}:\\{1\\.\\.(\\d+)\\}/\\1\\b`, 'm'),
  );
});
