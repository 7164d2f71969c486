/** The title of a run. */
import { expect, test } from 'vitest';
import { titleOf } from '../../src/core/text/run-title.ts';

test.each([
  ['\n# Add a limit\n\nAt most ten.\n', 'Add a limit'],
  ['---\ntitle: Add a limit\n---\n', 'title: Add a limit'],
  ['한도를 정한다', '한도를 정한다'],
  ['x'.repeat(200), `${'x'.repeat(159)}…`],
  ['\n---\n', ''],
])('the title of the briefing %j is %j', (briefing, title) => {
  expect(titleOf(briefing)).toBe(title);
});
