import { expect, test } from 'vitest';
import { packWarnings } from '../../src/core/run/pack/warnings.ts';
import type { Evidence } from '../../src/formats/evidence.ts';

const warn = (changes: Partial<Evidence>): string =>
  packWarnings({
    files_changed: [],
    checks: [],
    command_inputs: [],
    sandbox: 'bubblewrap',
    no_sandbox_because: null,
    ...changes,
  } as Evidence)
    .map(({ text }) => text)
    .join('\n\n');

test('there is no warning if the tests ran in a sandbox with unchanged settings', () => {
  expect(warn({})).toBe('');
  expect(warn({ sandbox: null })).toBe('');
});

test('tests without a sandbox cause a warning with the reason', () => {
  expect(warn({ sandbox: 'none', no_sandbox_because: 'bubblewrap (bwrap) is not installed' })).toContain(
    '**Warning: the tests ran without a sandbox** (`bubblewrap (bwrap) is not installed`)',
  );
});

test('agents without a sandbox cause a warning; agents in the strict sandbox do not', () => {
  expect(warn({ agents_sandbox: 'none' })).toContain('**Warning: the agents ran without a sandbox.**');
  expect(warn({ agents_sandbox: 'strict' })).toBe('');
});

test('requirements that the set-up could not install cause a warning with their names', () => {
  expect(warn({ missing_requirements: ['numpy>=1', 'pytest'] })).toContain(
    '**Warning: the set-up could not install `numpy>=1`, `pytest`.**',
  );
});

test('submodules and filtered files that were missing in the run cause a warning', () => {
  const missing_files = { submodules: ['lib'], filters: [{ name: 'lfs', files: 2 }] };
  expect(warn({ missing_files })).toContain(
    '**Warning: this run worked without these files of the base commit: `submodule lib`, `filter=lfs (2 files)`.**',
  );
});

test('lost branches, tags and stash entries cause a warning with commands that bring them back or show them', () => {
  const [object, now] = ['1'.repeat(40), '2'.repeat(40)];
  const said = warn({
    lost_refs: [
      { ref: 'refs/stash', object, now: null },
      { ref: 'refs/heads/a;b', object, now: null },
      { ref: 'refs/tags/v1', object, now: null },
      { ref: 'refs/tags/v2', object, now },
      { ref: 'refs/heads/main', object, now },
    ],
  });
  expect(said).toMatch(/^\*\*Warning: branches, tags or stash entries were deleted or moved/);
  expect(said).toContain(
    [
      `- \`git stash store ${object}\``,
      `- \`git branch 'a;b' ${object}\``,
      `- \`git tag v1 ${object}\``,
      `- \`git tag --force v2 ${object}\``,
      `- \`git log main..${object}\``,
    ].join('\n'),
  );
});

test('refs that could not be compared cause a warning of their own', () => {
  expect(warn({ unread_refs: ['refs/stash', 'refs/heads/mine'] })).toContain(
    '**Warning: these branches, tags or stash entries could not be compared: `refs/stash`, `refs/heads/mine`.**',
  );
});

test('changed test settings cause a warning with their keys', () => {
  const said = warn({
    command_inputs: [
      { path: 'package.json', keys: ['scripts.test', 'type'] },
      { path: '.npmrc', keys: [] },
    ],
  });
  expect(said).toMatch(/^\*\*Warning: this result changes how its tests are run\.\*\*/);
  expect(said).toContain('- `package.json`: `scripts.test`, `type`\n- `.npmrc`');
});

test('for a long list, the first entries are named and the rest are counted', () => {
  const many = Array.from({ length: 60 }, (_, n) => ({ path: `p/${n}/.npmrc`, keys: [] }));
  expect(warn({ command_inputs: many })).toContain('`p/49/.npmrc`\n- … and 10 more');
});

test('a check that fails on base and reports no passing tests causes a warning', () => {
  const check = {
    name: 'test',
    command: 'npm test',
    status: 'red-on-base',
    problem: null,
    counts: null,
    base: { machine: 'fail', counts: null },
    regressions: [],
    regression_count: 0,
    overridden: [],
    overridden_count: 0,
    flaky: [],
    duration_ms: 1,
  } as const;
  const nonePassed = { total: 2, passed: 0, failed: 2, skipped: 0 };
  for (const of of [null, nonePassed])
    expect(
      warn({
        checks: [{ ...check, base: { machine: 'fail', counts: of } }] as unknown as Evidence['checks'],
      }),
    ).toMatch(/^\*\*Warning: this project check proves nothing here: `test`\.\*\*/);
  const counts = { total: 2, passed: 1, failed: 1, skipped: 0 };
  const compared = { ...check, counts, base: { machine: 'fail', counts } };
  expect(warn({ checks: [compared] as unknown as Evidence['checks'] })).toBe('');
});

test('file names that differ only in case cause a warning', () => {
  expect(warn({ equal_names: [['Read.md', 'read.md']] })).toContain('- `Read.md`, `read.md`');
});
