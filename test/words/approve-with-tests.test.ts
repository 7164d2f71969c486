/** The project's checks run without the Verifier's tests: whatever adds these tests to a commit says so. */
import { expect, it } from 'vitest';
import Approve from '../../src/commands/approve.ts';
import type { EventOf } from '../../src/formats/events/events.ts';
import { enCli } from '../../src/words/cli/en.ts';
import { koCli } from '../../src/words/cli/ko.ts';
import { enEvent } from '../../src/words/en-events.ts';
import { koEvent } from '../../src/words/ko-events.ts';
import { en } from '../../src/words/pages/en.ts';
import { ko } from '../../src/words/pages/ko.ts';
import { NOW } from '../helpers/sample-values.ts';

const hash = 'a'.repeat(40);
const completed = (tests?: number): EventOf<'run.completed'> => ({
  at: NOW,
  type: 'run.completed',
  how: 'merge',
  merged: true,
  into: 'main',
  commit: hash,
  tree: hash,
  ...(tests !== undefined && { tests }),
});

it("the event that ends an approval with tests says that the project's checks ran without them", () => {
  expect(enEvent(completed(2))).toBe(
    "Completed: merged into main, with the Verifier's 2 test files (the project's checks ran without them)",
  );
  expect(enEvent(completed(1))).toMatch(
    /with the Verifier's test file \(the project's checks ran without it\)$/,
  );
  expect(koEvent(completed(2))).toMatch(/테스트 파일 2개 포함, 프로젝트의 점검은 이 테스트 없이 실행됨/);
  expect(enEvent(completed())).toBe('Completed: merged into main');
});

it('the help, the question in the terminal and the checkbox on the page say that the checks ran without the tests', () => {
  expect(Approve.flags['with-tests'].description).toContain("The project's checks ran without them.");
  expect(enCli.approve.askTests(['a.test.js'])).toContain("The project's checks ran without them.");
  expect(koCli.approve.askTests(['a.test.js'])).toContain('프로젝트의 점검은 이 테스트 없이 실행되었습니다.');
  expect(en.review.withTests(2)).toBe(
    "with the Verifier's 2 test files (the project's checks ran without them)",
  );
  expect(ko.review.withTests(2)).toMatch(/2개 포함 \(프로젝트의 점검은 이 테스트 없이 실행됨\)$/);
});
