/** Every reason that the policy gives is shown in Korean; text from agents and programs stays as it is. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { judgeTest } from '../../src/core/policy/criteria/judge-test.ts';
import { type CeilingInput, ceiling } from '../../src/core/policy/verdict/verdict-ceiling.ts';
import type { CheckResult } from '../../src/formats/check-results.ts';
import type { TestOutcome } from '../../src/formats/exam/criteria-report.ts';
import { koHttpRefusals } from '../../src/words/ko-http-refusals.ts';
import { KO_MERGE_SENTENCES, koMergeReason } from '../../src/words/ko-merge-refusals.ts';
import {
  KO_OCCASIONS,
  KO_REASONS,
  koLowered,
  koOccasion,
  koReason,
} from '../../src/words/ko-verdict-and-run-reasons.ts';

const WANTED = {
  tests_passing: true,
  min_test_coverage: 80,
  criteria: 'claimed' as const,
  min_kill_rate: 90,
};
const counts = (failed: number) => ({ total: 10, passed: 10 - failed, failed, skipped: 0 });
const lowered = (output: CeilingInput | null, checks: readonly CheckResult[] = []): string =>
  koLowered(ceiling('PASS', output, WANTED, undefined, checks).lowered!);

test('why a verdict was lowered is shown in Korean', () => {
  expect(lowered(null)).toBe('PASS → FAIL: 테스트를 실행하지 않음');
  expect(lowered({ machine: 'could-not-run', problem: 'npm: not found; exit 127' })).toBe(
    'PASS → FAIL: 테스트를 실행할 수 없음 (npm: not found; exit 127)',
  );
  expect(lowered({ machine: 'fail', test_results: counts(1), changed_coverage: 62.5 })).toBe(
    'PASS → MINOR_FAIL: 테스트 10개 중 1개 실패; 추가하거나 바꾼 줄의 커버리지가 62.5%로, 기준인 80%보다 낮음',
  );
  const exam = {
    criteria: [
      {
        id: 'AC-1',
        status: 'not-claimed' as const,
        reason: 'its test passes without the change too',
        failed: 'base' as const,
      },
    ],
    faults: { tried: 10, killed: 7 },
  };
  expect(lowered({ machine: 'pass', exam })).toBe(
    'PASS → MINOR_FAIL: AC-1 증명되지 않음: 변경 없이도 테스트가 통과함; 테스트가 심어 둔 결함의 70%만 찾아내, 기준인 90%보다 적음',
  );
});

test("what the project's own checks found is shown in Korean", () => {
  const regressed = (...regressions: CheckResult['regressions']): CheckResult => ({
    name: 'unit tests',
    command: 'npm test',
    status: 'regression',
    problem: null,
    counts: null,
    base: null,
    regressions,
    regression_count: Math.max(regressions.length, 7),
    overridden: [],
    overridden_count: 0,
    flaky: [],
    duration_ms: 1,
  });
  const of = (...regressions: CheckResult['regressions']) =>
    lowered({ machine: 'pass' }, [regressed(...regressions)]).replace(/^PASS → \S+ /, '');
  expect(of({ test: 'sum adds', how: 'fails' }, { test: 'it works, mostly', how: 'skipped' })).toBe(
    '점검 unit tests: 기준 커밋에서 통과하는 테스트 7개: sum adds 실패함, it works, mostly 이제 건너뜀 외 5개',
  );
  expect(of({ test: null, how: 'could-not-run' })).toBe(
    '점검 unit tests: 기준 커밋에서는 통과하지만 실행할 수 없음',
  );
  expect(of({ test: null, how: 'missing' })).toContain('더 이상 테스트 이름을 출력하지 않음');
});

test('the findings about the tests of a criterion are shown in Korean', () => {
  const outcomes: readonly TestOutcome[] = ['pass', 'assert', 'missing'];
  const runs = [[], ...outcomes.map(one => [one]), outcomes.slice(0, 2)];
  const reasons = new Set<string>();
  for (const kind of ['behaviour', 'keeps'] as const)
    for (const head of runs.slice(1))
      for (const base of runs)
        for (const ghost of [null, ...outcomes])
          for (const placebo of [null, ...outcomes])
            for (const negated of ['pass', 'assert', 'load', 'missing', 'unrecognized'] as const)
              for (const stubs of ['pass', 'assert'] as const)
                for (const killed_by of [[], ['u1']]) {
                  const looks = { id: 'a', head, base, ghost, placebo, stubs, negated, killed_by };
                  const { reason } = judgeTest(kind, looks, { problem: null, limit: null });
                  if (reason !== null) reasons.add(reason);
                }
  expect(reasons.size).toBeGreaterThan(9);
  for (const reason of reasons) expect(koReason(reason)!.replace('Dure', ''), reason).not.toMatch(/[a-z]/i);
});

test("the reason that Dure added to an agent's text is translated, and the agent's words stay unchanged", () => {
  expect(koLowered('Works (PASS became FAIL: 2 of 4 tests failed)')).toBe(
    'Works (PASS → FAIL: 테스트 4개 중 2개 실패)',
  );
  expect(koLowered('pixels became sharper: yes')).toBe('pixels became sharper: yes');
});

test.each([
  ['changes were requested', 'core/policy/evolve.ts'],
  ['a person granted one more iteration', 'core/policy/state/evolve-question.ts'],
  ['the person stopped it (vcr-001)', 'core/policy/state/evolve-question.ts'],
  ['stopped by a person', 'core/policy/decide.ts'],
  ['no process drove the run for a while', 'core/policy/decide.ts'],
  ['the driver was told to exit', 'daemon/drive-run.ts'],
  ['the result conflicts with the new base in src/1.ts', 'core/policy/state/evolve-rebase.ts'],
])('why an iteration began or a run ended is shown in Korean: %s', (text, file) => {
  const source = readFileSync(join(import.meta.dirname, '../../src', file), 'utf8');
  expect(source).toContain(text.replace(/ \(.*| src.*/, ''));
  expect(koOccasion(text).replace(/vcr-001|src\/1\.ts/, '')).not.toMatch(/[a-z]/i);
});

test('what an agent or a person wrote about an iteration or the end of a run stays unchanged', () => {
  expect(koOccasion('Works (PASS became FAIL: 2 of 4 tests failed)')).toBe(
    'Works (PASS → FAIL: 테스트 4개 중 2개 실패)',
  );
  expect(koOccasion('the result conflicts with our plan')).toBe('the result conflicts with our plan');
});

/** The reasons why a merge was refused, keyed by the file that contains the message. */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  'core/run/effects/merge-approved-result.ts': [
    'the approval was for tree 7777777, but the pack has 8888888',
  ],
  'core/run/effects/rebase-result.ts': ['main already has the changes of run-20260131-142233'],
  'workspace/merge/merge-sealed-result.ts': [
    'your working tree is not on any branch (its HEAD is detached), so a merge would not be kept. Check out the target branch, or create only the branch with `dure approve --how branch`.',
    'main is at 0123456789, but the result was tested on 9876543210. `dure rebase run-1` rebases it and tests it again; then approve it.',
    'main has no commits. Create only the branch with `dure approve --how branch`.',
    'your working tree is sparse and leaves out files that the result changes: src/a.ts, and 3 more. Add them with `git sparse-checkout add`, or create only the branch with `dure approve --how branch`.',
    'these git settings have changed since the run began: filter.lfs.smudge. They name programs that run when git writes files. Restore them with `git config`, or create only the branch with `dure approve --how branch`.',
    'these files differ from the result although git has just written them: src/a.ts. Either another program changed them at that moment (its version was kept), or one of your git filters does not restore the content that it converts. Run `git status` to see them, then run `dure approve` again.',
    'These files were written and could not be restored: src/a.ts. Run `dure approve` again to finish the merge, or `git restore --source=refs/dure/backup/run-1 --staged --worktree` with their names to get your versions back.',
    'These files were written and were left as they are, because HEAD has moved: src/a.ts. Run `git status` to see them.',
  ],
  'workspace/merge/merge-overwrite-reason.ts': [
    'your versions of these files differ from those that the run started from: src/a.ts. Run `dure rebase run-1` to apply the result to your versions and test it again; then approve it.',
    "your versions of these files differ from those that the run started from: src/a.ts. Stash them with `git stash --include-untracked -- ':/!.dure'`, then run `dure approve` again.",
    "the staged versions of these files differ from those that the run started from: src/a.ts. Stash them with `git stash --include-untracked -- ':/!.dure'`, then run `dure approve` again.",
    'these submodules are not at the commits that the result specifies: vendor/lib. Check out those commits in them, or create only the branch with `dure approve --how branch`.',
  ],
  'workspace/merge/operation-in-progress.ts': [
    'a cherry-pick is in progress in your working tree. Finish it, then run `dure approve` again.',
    'a `git am` session is in progress in your working tree. Finish it, then run `dure approve` again.',
    'your working tree has unresolved conflicts. Resolve them, then run `dure approve` again.',
    'another git process is running in your working tree, or one was killed and left /home/a/.git/index.lock behind. If no git process is running, remove the file, then run `dure approve` again.',
  ],
  'workspace/merge/move-branch.ts': [
    'your working tree is no longer on main. Check out main, then run `dure approve` again.',
    'main moved to 0123456789 during the merge. Run `dure approve` again.',
    'main was deleted during the merge. Run `dure approve` again.',
    'index.lock was removed during the merge, so another program may have changed the index. Run `dure approve` again.',
  ],
  'workspace/merge/commit-hooks.ts': [
    'these git hooks have changed since the run began: pre-commit. To approve without hooks: `dure approve --no-verify`.',
    'the result changes these git hooks, so they do not run on it: pre-commit. To approve without hooks: `dure approve --no-verify`.',
    'your hook left an empty commit message.',
    'your pre-commit hook changes src/a.ts, and the tests have not run with these changes. Ask for this change with `dure reject --feedback`. To approve without hooks: `dure approve --no-verify`.',
    'your pre-commit hook failed:\nTOO LONG\nThe content of src/a.ts after the hook is saved in `refs/dure/backup/run-1-pre-commit`.\nTo approve without hooks: `dure approve --no-verify`.',
    'These files changed while the hook ran and were left as they are: src/a.ts. If you changed them, run `dure approve` again.\nTo approve without hooks: `dure approve --no-verify`.',
    'your commit-msg hook failed:\nTOO LONG\nTo approve without hooks: `dure approve --no-verify`.',
  ],
  'workspace/merge/commit-result.ts': [
    'git does not know the name and email address for your commits. Run `git config --global user.name "Your Name"` and `git config --global user.email you@example.com`, then run `dure approve` again.',
    'git could not sign the commit (commit.gpgSign is true): NO KEY. Run `dure approve` in a shell that can sign commits. There, `ssh-add` loads an SSH key and `export GPG_TTY=$(tty)` lets GnuPG ask for a passphrase.',
  ],
  'workspace/merge/push-and-open-pull-request.ts': [
    'the repository has no remote for a pull request. Add one with `git remote add origin URL`, or create only the branch with `dure approve --how branch`.',
    'the branch dure/run-1 on origin has commits that this run did not push, so it was left as it is. Merge it there, or push it under another name and run `git push origin --delete dure/run-1`; then run `dure approve --how pr` again.',
    'gh says: NO LOGIN\nThe branch dure/run-1 was pushed to origin. Open https://example.test/x, or approve again once gh works.',
    'gh says: NO LOGIN\nThe branch dure/run-1 was pushed to origin. Open a pull request in a browser, or approve again once gh works.',
  ],
  'errors.ts': [
    'These settings or files have changed since run-20260131-142233 began, possibly because of an agent:\ncore.pager',
    "None of the Verifier's tests ran on this result, so none can be committed with it.",
    'Sealed results are missing from the git repository, or were changed there, and the run has no complete copy of them: build.2.',
    'git cherry-pick failed: it failed without a conflict',
  ],
};
/** Names of programs, files, branches and settings, and the output of programs, which is in capitals here. */
const NAMES =
  /`[^`]*`(?: session)?|https?:\S+|[\w/.-]*[/.-][\w/.-]*|\b(?:git|gh|main|origin|pre-commit|commit-msg|cherry-pick|core\.pager|filter|sparse|true|HEAD|SSH|GnuPG|Dure|it failed without a conflict)\b|[A-Z]{2,}/g;

test.each(Object.entries(REFUSED))(
  'the reasons that %s gives for refusing a merge or rebase are shown in Korean',
  (file, reasons) => {
    const source = readFileSync(join(import.meta.dirname, '../../src', file), 'utf8');
    for (const reason of reasons) {
      expect(koMergeReason(reason).replace(NAMES, ''), reason).not.toMatch(/[a-z]{2}/i);
      // The sample still matches what Dure says.
      const parts = reason.replace(NAMES, '\n').split(/[^a-z' ]/i);
      const longest = parts.reduce((a, b) => (b.length > a.length ? b : a)).trim();
      expect(source.replace(/['`] \+\n\s*['`]/g, ''), reason).toContain(longest);
    }
  },
);

const SRC = join(import.meta.dirname, '../../src');
/** What Dure says in English, without comments, and with texts joined that continue on the next line. */
const ENGLISH = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter(file => /\.tsx?$/.test(file) && !/(?:^|\/)ko[-.]/.test(file))
  .map(file => readFileSync(join(SRC, file), 'utf8'))
  .join('\n')
  .replace(/\/\*[\s\S]*?\*\/|['`] \+\n\s*['`]/g, '');

test.each([...KO_MERGE_SENTENCES, ...KO_OCCASIONS, ...KO_REASONS].map(([{ source }]) => source))(
  'the source still contains the English text that is translated into Korean: %s',
  pattern => {
    const words = pattern.split(/\\[a-zA-Z]|[^a-z' -]/i).map(part => part.trim());
    const longest = words.reduce((a, b) => (b.length > a.length ? b : a));
    // A text may be composed of its first words and a place, such as `on base`.
    expect(ENGLISH).toContain(longest.slice(0, 'its test was not reported'.length));
  },
);

test.each(Object.keys(koHttpRefusals))(
  'the server still uses the error code %s, which has a Korean translation',
  code => {
    expect(ENGLISH).toContain(`'${code}'`);
  },
);
