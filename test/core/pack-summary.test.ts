import { expect, test } from 'vitest';
import { recordedChecks } from '../../src/core/policy/verdict/shorten-check-result.ts';
import { evidenceOf, type PackFacts } from '../../src/core/run/pack/build-evidence.ts';
import { checksTable } from '../../src/core/run/pack/checks-section.ts';
import { type PackHistory, packSummary } from '../../src/core/run/pack/summary.ts';
import type { CheckResult } from '../../src/formats/check-results.ts';
import type { EventOf, RunEvent } from '../../src/formats/events/events.ts';
import type { ExamUnit } from '../../src/formats/exam/exam-units-and-faults.ts';
import { judgedCriterion } from '../helpers/sample-criteria.ts';
import { examWith } from '../helpers/sample-exam.ts';
import { BASE, sampleState } from '../helpers/sample-values.ts';

const at = (second: number) => new Date(Date.UTC(2026, 0, 31, 14, 0, second)).toISOString();
const gate = { agent: 'gatekeeper', step: 'gate' } as const;
const refine = { agent: 'refiner', step: 'refine' } as const;
const exit = { kind: null, message: '', retry_at: null, session: null, asks: false, usage: null } as const;

const verdict = (second: number, launch: number): EventOf<'verdict.given'> => ({
  at: at(second),
  type: 'verdict.given',
  ...gate,
  launch,
  verdict: 'PASS',
  claimed: 'PASS',
  lowered: null,
  reason: 'good',
  issues: [],
  next: 'ready',
});

const evidence = (proven: PackFacts['proven'] = null) =>
  evidenceOf({
    state: sampleState(),
    files_changed: [],
    proven,
    test_command: '',
    tests_tree: null,
    equal_names: [],
    command_inputs: [],
    laid_in: [],
    test_author: 'verifier (claude)',
    log: '1 0123456789abcdef',
    commit: BASE,
    tree: BASE,
  });

const CRITERIA: PackHistory['criteria'] = {
  run_id: 'run-20260131-140000',
  base: BASE,
  tree: BASE,
  tests_tree: null,
  sha256: null,
  change: null,
  criteria: [],
};

const summary = (more: Partial<PackHistory>): string =>
  packSummary({
    state: sampleState(),
    evidence: evidence(),
    stat: [],
    failures: [],
    answers: [],
    review: null,
    plugins: [],
    outsideChanges: [],
    criteria: CRITERIA,
    title: '',
    briefing: 'Say hello.',
    refined: null,
    design: null,
    events: [],
    at: at(59),
    ...more,
  });

function times(events: RunEvent[]): string[] {
  const told = summary({ events });
  const rows = told.slice(told.indexOf('## Times')).split('\n');
  return rows.filter(row => /^\| \w+ \| \d/.test(row));
}

test("the summary shows how long every launch took, including the Gatekeeper's and those that failed or asked a question", () => {
  expect(
    times([
      { at: at(0), type: 'agent.started', ...refine, launch: 1, iteration: 1 },
      { at: at(2), type: 'agent.exited', ...refine, launch: 1, outcome: 'deferred', ...exit },
      { at: at(3), type: 'agent.started', ...refine, launch: 2, iteration: 1 },
      { at: at(4), type: 'agent.failed', ...refine, launch: 2, kind: 'crash', message: 'gone' },
      { at: at(7), type: 'agent.exited', ...refine, launch: 2, outcome: 'error', ...exit },
      { at: at(8), type: 'agent.started', ...gate, launch: 3, iteration: 1 },
      { at: at(9), type: 'agent.exited', ...gate, launch: 3, outcome: 'ok', ...exit },
      verdict(10, 3),
      { at: at(11), type: 'agent.started', ...gate, launch: 4, iteration: 2 },
      verdict(16, 4),
    ]),
  ).toEqual([
    '| refine | 1 | 2.0 s |',
    '| refine | 2 | 4.0 s |',
    '| gate | 3 | 1.0 s |',
    '| gate | 4 | 5.0 s |',
  ]);
});

test("the summary contains the briefing, the refined briefing, and the Builder's reasons", () => {
  const told = summary({
    title: 'Say hello',
    briefing: '# Say hello\n\nPolitely.\n',
    refined: 'Print "hello" to standard output.',
    design: 'I print instead of logging: a pipe reads it.',
  });
  const of = (section: string) => told.split(`\n## ${section}\n`)[1]?.split('\n## ')[0];
  expect(told).toContain('- Title: `Say hello`');
  expect(of('What was asked')).toMatch(/# Say hello\n\nPolitely\.[\s\S]*Print "hello" to standard output\./);
  expect(of('Design')).toContain('I print instead of logging');
  expect(summary({ refined: ' Say hello.\n' })).not.toContain('As the Refiner put it');
  const long = summary({ design: 'x'.repeat(20_000) });
  expect(long.length).toBeLessThan(12_000);
  expect(long).toContain('The rest is in `builder/log.md`');
});

test('the summary lists the rules quoted in prompts, with their blob ids, and warns if the result changes rules', () => {
  const rules = {
    files: [
      { path: 'AGENTS.md', blob: BASE },
      { path: 'docs/style.md', blob: BASE, quoted: 40_000 },
    ],
    left_out: [{ path: '~/mine.md', why: 'outside' as const }],
  };
  const state = sampleState();
  const facts = {
    proven: null,
    test_command: '',
    tests_tree: null,
    equal_names: [],
    command_inputs: [],
    laid_in: [],
    test_author: 'verifier (claude)',
    log: '1 0123456789abcdef',
    commit: BASE,
    tree: BASE,
    state: { ...state, setup: { ...state.setup, rules } },
  };
  const evidence = evidenceOf({ ...facts, files_changed: ['src/a.js'] });
  expect(evidence.rules).toEqual(rules);
  const told = summary({ evidence });
  expect(told).toContain(`- \`AGENTS.md\` (blob \`${BASE.slice(0, 12)}\`)\n`);
  expect(told).toContain(', the first 40000 characters)');
  expect(told).toContain('Not quoted: `~/mine.md` (outside)');
  expect(told).not.toContain('changes rules for agents');
  for (const changed of ['docs/style.md', 'packages/a/CLAUDE.md', '.claude/rules/x.md'])
    expect(summary({ evidence: evidenceOf({ ...facts, files_changed: [changed] }) })).toContain(
      `**Warning: this result changes rules for agents: \`${changed}\`.**`,
    );
});

test('the summary names the changed files that are not in any coverage report', () => {
  const proven = {
    machine: 'pass' as const,
    exit_code: 0,
    changed_coverage: 100,
    unmeasured: ['src/new.js', 'src/<b>.js'],
    test_results: { total: 1, passed: 1, failed: 0, skipped: 0 },
  };
  expect(summary({ evidence: evidence(proven) })).toContain(
    '- Changed, but not in any coverage report: `src/new.js`, `src/<b>.js`\n',
  );
  expect(summary({ evidence: evidence({ ...proven, unmeasured_count: 60 }) })).toContain(
    '- Changed, but not in any coverage report: `src/new.js`, `src/<b>.js` and 58 more\n',
  );
  const { unmeasured: _, ...without } = proven;
  expect(summary({ evidence: evidence(without) })).not.toContain('no coverage');
  expect(summary({ evidence: evidence(without) })).toContain(
    '; coverage of the added and changed lines: 100%',
  );
});

test('the summary says how many flaky tests it does not list', () => {
  const check: CheckResult = {
    name: 'test',
    command: 'npm test',
    status: 'pass',
    problem: null,
    counts: null,
    base: null,
    regressions: [],
    regression_count: 0,
    overridden: [],
    overridden_count: 0,
    flaky: Array.from({ length: 23 }, (_, n) => `flaky ${n}`),
    duration_ms: 1,
  };
  const recorded = recordedChecks(check);
  expect(recorded).toMatchObject({ flaky_count: 23 });
  expect(checksTable([recorded], [])).toContain('- `flaky 19` (`test`)\n- … and 3 more');
  const few = recordedChecks({ ...check, flaky: ['one'] });
  expect(few).not.toHaveProperty('flaky_count');
  expect(checksTable([few], [])).toMatch(/- `one` \(`test`\)$/);
});

test.each([
  [
    { first: 3, last: 7 },
    'The exam ran out of time before everything was tried: 5 changed lines were not examined.',
  ],
  [
    { first: 3, last: 3 },
    'The exam ran out of time before everything was tried: 1 changed line was not examined.',
  ],
  [null, 'The exam ran out of time before everything was tried. '],
])('the summary says how many changed lines were not examined: %j', (lines, sentence) => {
  const base = { id: 'u1', file: 'a.js', base_lines: null, at: 0, killers: [] };
  const units: ExamUnit[] = lines ? [{ ...base, lines, status: 'not-run' }] : [];
  const change = { ...examWith(units), complete: false };
  expect(summary({ criteria: { ...CRITERIA, sha256: BASE, change } })).toContain(sentence);
});

test('the summary names files that are too big for the patch, with their size', () => {
  const plain = { path: 'a.txt', added: 1, removed: 0, kind: null };
  const big = { path: 'big.bin', added: null, removed: null, kind: null, bytes: 2_147_483_648 };
  expect(summary({ stat: [plain] })).not.toContain('Too big');
  expect(summary({ stat: [plain, big] })).toContain(
    'Too large for `changes.patch`, which contains only their hashes. The commit contains the files:\n\n- `big.bin`: 2147 MB\n',
  );
});

test('the summary begins with the proof, including the verdict and why it was lowered, then the criteria, then the run', () => {
  const lowered = 'PASS became MINOR_FAIL: AC-1 is not proven';
  const verdict = { verdict: 'MINOR_FAIL', claimed: 'PASS', lowered, reason: 'good', issues: [] };
  const judged = (id: string, status: 'confirmed' | 'not-claimed' | 'look') =>
    judgedCriterion({ id, kind: 'behaviour', text: `Text of ${id}.`, status, reason: null });
  const criteria = [judged('AC-1', 'confirmed'), judged('AC-2', 'look'), judged('AC-3', 'not-claimed')];
  const told = summary({
    state: sampleState(undefined, { verdict }),
    criteria: { ...CRITERIA, sha256: BASE, criteria },
  });
  const headings = [...told.matchAll(/^## (.*)$/gm)].map(([, title]) => title);
  expect(headings.slice(0, 3)).toEqual(['Proof', 'Acceptance criteria', 'Run']);
  expect(told).toContain(`- Verdict: **MINOR_FAIL**
- The Gatekeeper said \`PASS\`; Dure lowered the verdict: \`${lowered}\`
- Tests, run by Dure: **were not run**
- Acceptance criteria: 1 of 2 confirmed
`);
  expect([...told.matchAll(/^\| (AC-\d)/gm)].map(([, id]) => id)).toEqual(['AC-3', 'AC-2', 'AC-1']);
});

test('the summary says how many tests, failures, undefended places and large files its lists leave out', () => {
  const tests = Array.from({ length: 50 }, (_, n) => ({
    id: `AC-1: ${n}`,
    head: ['pass' as const],
    base: [],
    ghost: null,
    placebo: null,
    killed_by: null,
  }));
  const criterion = { id: 'AC-1', kind: 'behaviour', text: 'Adds.', status: 'passes', reason: null } as const;
  const places = Array.from({ length: 53 }, (_, n) => ({
    id: `u${n}`,
    file: 'src/a.js',
    lines: { first: n + 1, last: n + 1 },
    base_lines: null,
    at: n,
    status: 'untested' as const,
    killers: [],
  }));
  const { tests: counts } = evidence();
  const told = summary({
    evidence: {
      ...evidence(),
      test_machine: 'fail',
      tests: { ...counts, total: 120, passed: 60, failed: 60 },
    },
    failures: tests.map(({ id }) => id),
    criteria: {
      ...CRITERIA,
      sha256: BASE,
      criteria: [
        judgedCriterion({ ...criterion, tests, test_counts: { total: 120, passed: 120, proving: 0 } }),
      ],
      change: examWith(places),
    },
    stat: Array.from({ length: 1002 }, (_, n) => ({
      path: `${n}.bin`,
      added: null,
      removed: null,
      kind: null,
      bytes: 2e9,
    })),
  });
  expect(told).toContain('`AC-1: 0`, `AC-1: 1`, `AC-1: 2` and 117 more |');
  expect(told).toContain('- `AC-1: 49`\n- … and 10 more\n');
  expect(told).toContain('- `src/a.js:50`\n- … and 3 more\n');
  expect(told).toContain('- `999.bin`: 2000 MB\n- … and 2 more\n');
});

test('the summary names only the tests that prove a confirmed criterion, and counts the others', () => {
  const tested = (id: string, proves: boolean) => ({
    id,
    head: ['pass' as const],
    base: [proves ? ('assert' as const) : ('pass' as const)],
    ghost: 'assert' as const,
    placebo: 'pass' as const,
    killed_by: proves ? ['u1'] : ['u2', 'u3'],
    proves,
  });
  const criterion = {
    id: 'AC-1',
    kind: 'behaviour',
    text: 'Adds.',
    status: 'confirmed',
    reason: null,
  } as const;
  const told = (tests: ReturnType<typeof tested>[]) =>
    summary({
      criteria: { ...CRITERIA, sha256: BASE, criteria: [judgedCriterion({ ...criterion, tests })] },
    });
  const [adds, idle, exists] = [tested('adds', true), tested('idle', false), tested('exists', false)];
  expect(told([adds, idle, exists])).toContain(
    'confirmed (fails without the change, 1 test run, fails in 1 broken version) | `adds` (2 other tests do not prove it) |',
  );
  expect(told([adds])).toContain('| `adds` |');
});
