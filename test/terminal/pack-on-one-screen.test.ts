/** The screen of `dure review` and at the end of `dure start`: it fits a terminal, with the worst first. */

import { stripVTControlCharacters } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Evidence } from '../../src/formats/evidence.ts';
import type { CriteriaReport, JudgedCriterion } from '../../src/formats/exam/criteria-report.ts';
import type { ExamUnit } from '../../src/formats/exam/exam-units-and-faults.ts';
import { decideCommands } from '../../src/terminal/suggested-commands.ts';
import { cells } from '../../src/terminal/text-layout.ts';
import { judgedCriteria } from '../../src/terminal/views/criteria-lines.ts';
import { evidenceView } from '../../src/terminal/views/evidence-view.ts';
import { undefendedList } from '../../src/terminal/views/exam-lines.ts';
import { nextLines, packScreen, type ShownPack } from '../../src/terminal/views/pack-on-one-screen.ts';
import { loadLanguage } from '../../src/words/cli/load-language.ts';
import { judgedCriterion } from '../helpers/sample-criteria.ts';
import { examWith } from '../helpers/sample-exam.ts';
import { BASE, RUN_ID, sampleConfig, sampleState } from '../helpers/sample-values.ts';

const evidence: Evidence = {
  tests: { total: 12, passed: 12, failed: 0, skipped: 0, coverage: null },
  files_changed: ['src/index.js', 'src/limit.js'],
  decisions: [],
  iterations: 1,
  logs: {},
  laid_in: [],
  command_inputs: [],
  checks: [],
  run_id: RUN_ID,
  base: BASE,
  commit: BASE,
  tree: BASE,
  tests_tree: BASE,
  test_command: 'npm test',
  test_exit_code: 0,
  test_machine: 'pass',
  test_author: 'verifier (claude)',
  sandbox: 'bubblewrap',
  no_sandbox_because: null,
  agents_sandbox: 'standard',
  verdict: 'PASS',
  accepted_by_person: false,
  cost_usd: 0.2,
  cost_complete: true,
  log: '1 0123456789abcdef',
};

const ready = sampleState(sampleConfig(), {
  phase: 'ready_for_merge',
  mrp: { commit: BASE, tree: BASE, files: {} },
} as Parameters<typeof sampleState>[1]);

const criterion = (
  n: number,
  status: JudgedCriterion['status'],
  more: Partial<JudgedCriterion> = {},
): JudgedCriterion =>
  judgedCriterion({
    id: `AC-${n}`,
    kind: status === 'look' ? 'look' : 'behaviour',
    text: `Fact ${n}.`,
    status,
    reason: null,
    tests:
      status === 'confirmed'
        ? [
            {
              id: 't',
              head: ['pass', 'pass', 'pass'],
              base: ['assert', 'assert', 'assert'],
              ghost: 'assert',
              placebo: 'pass',
              killed_by: ['u1', 'm1'],
            },
          ]
        : [],
    ...more,
  });

const unit = (file: string, first: number, last: number, status: ExamUnit['status']): ExamUnit => ({
  id: `${file}${first}`,
  file,
  lines: { first, last },
  base_lines: null,
  at: first,
  status,
  killers: [],
});

const pack = (
  criteria: readonly JudgedCriterion[],
  change: CriteriaReport['change'] = null,
  more: Partial<ShownPack> = {},
): ShownPack => ({
  state: ready,
  evidence,
  summary: `.dure/runs/${RUN_ID}/mrp/summary.md`,
  criteria: {
    run_id: RUN_ID,
    base: BASE,
    tree: BASE,
    tests_tree: BASE,
    sha256: criteria.length > 0 ? 'c' : null,
    criteria: [...criteria],
    change,
  },
  ...more,
});

const screen = (shown: ShownPack, width = 80, rows = 24): string[] => {
  const next = nextLines(shown.state, shown.criteria.change, decideCommands(shown.state), width);
  return packScreen(shown, { width, rows }, next).split('\n');
};

const LONG = 'More than 60 requests a minute from one address get status 429 with a Retry-After header. ';
const KOREAN = '한 주소에서 일 분에 예순 번 넘게 요청하면 상태 429와 Retry-After 헤더를 받는다. ';
const DEEP = `packages/${'a-deep-folder/'.repeat(4)}limit.ts`;
const lowered = `PASS became MINOR_FAIL: ${Array.from({ length: 9 }, (_, n) => `AC-${n + 1} is not proven: its test passes without the change too`).join('; ')}`;
const judged = { verdict: 'MINOR_FAIL', claimed: 'PASS', lowered, reason: 'good', issues: [] };
const check = {
  name: 'test',
  command: 'npm test',
  problem: null,
  base: null,
  counts: evidence.tests,
  regressions: [],
  regression_count: 0,
  overridden: [],
  overridden_count: 0,
  flaky: [],
  duration_ms: 1,
};
const change = examWith(
  [unit(DEEP, 88, 92, 'untested'), unit('src/app.ts', 14, 15, 'untested'), unit('src/b.ts', 4, 4, 'reached')],
  Array.from({ length: 20 }, (_, n) => ({
    id: `m${n}`,
    unit: 'src/b.ts4',
    file: 'src/b.ts',
    line: 4,
    change: '`<` → `<=`',
    killed: n > 3,
    killers: [],
  })),
);
const many = (text: string) =>
  Array.from({ length: 12 }, (_, n) =>
    criterion(n + 1, n < 3 ? 'look' : 'confirmed', { text: text.repeat(6) }),
  );

const PACKS: Readonly<Record<string, ShownPack>> = {
  'the demo': pack(
    [1, 2, 3, 4, 5].map(n => criterion(n, 'confirmed')),
    examWith([]),
  ),
  '12 criteria with long texts': pack(many(LONG), { ...change, complete: false }),
  Korean: pack(many(KOREAN), change),
  refuted: pack(
    [
      ...many(LONG).slice(3),
      criterion(2, 'fails', { text: LONG, reason: 'one of its tests fails on the result' }),
    ],
    change,
  ),
  'could not run': pack(
    [1, 2].map(n => criterion(n, 'could-not-run', { text: LONG, reason: `it was not reported ${DEEP}` })),
    null,
    { evidence: { ...evidence, test_machine: 'could-not-run', verdict: 'FAIL', accepted_by_person: true } },
  ),
  'without criteria': pack([]),
  'lowered, with every warning': pack(many(LONG), change, {
    state: { ...ready, verdict: judged },
    summary: `/home/someone/${DEEP}/.dure/runs/${RUN_ID}/mrp/summary.md`,
    evidence: {
      ...evidence,
      agents_sandbox: 'none',
      sandbox: 'none',
      no_sandbox_because: LONG,
      verdict: 'MINOR_FAIL',
      command_inputs: [{ path: 'package.json', keys: ['scripts.test'] }],
      equal_names: [['Read.md', 'read.md']],
      failed_builds: [DEEP],
      missing_requirements: ['numpy>=1'],
      missing_files: { submodules: [DEEP], filters: [{ name: 'lfs', files: 2 }] },
      files_changed: ['AGENTS.md', DEEP],
      key_replaced: { id: 'k', events: 12, before: null, decisions: [] } as unknown as NonNullable<
        Evidence['key_replaced']
      >,
      checks: [
        { ...check, status: 'pass' },
        { ...check, name: 'lint', status: 'red-on-base' },
        {
          ...check,
          name: 'e2e',
          status: 'regression',
          overridden: [{ test: LONG, how: 'fails' }],
          overridden_count: 1,
        },
      ],
    },
  }),
};

afterEach(async () => {
  vi.unstubAllEnvs();
  await loadLanguage({ DURE_LANG: 'en' });
});

describe.each(Object.keys(PACKS))('the screen of a pack: %s', name => {
  it.each(['en', 'ko'])('leaves one of 24 rows for the prompt, and fits the width: %s', async language => {
    await loadLanguage({ DURE_LANG: language });
    for (const width of [60, 80, 140]) {
      const lines = screen(PACKS[name]!, width);
      expect(lines.length, lines.join('\n')).toBeLessThanOrEqual(23);
      expect(lines.filter(line => cells(line) > width)).toEqual([]);
      for (const command of decideCommands(ready)) expect(lines.join('\n')).toContain(command);
    }
  });

  it('has the same text without colours', () => {
    const plain = screen(PACKS[name]!);
    vi.stubEnv('FORCE_COLOR', '1');
    const coloured = screen(PACKS[name]!);
    expect(coloured.join('\n')).toContain('\u001b[');
    expect(coloured.map(line => stripVTControlCharacters(line))).toEqual(plain);
  });
});

it('the screen shows the worst criteria first, and counts those that do not fit', () => {
  const statuses = ['confirmed', 'look', 'passes', 'not-claimed', 'could-not-run', 'fails'] as const;
  const listed = (rows: number, count: number) =>
    screen(
      pack(Array.from({ length: count }, (_, n) => criterion(n + 1, statuses[n] ?? 'confirmed'))),
      80,
      rows,
    )
      .filter(line => /^ {2}.{0,2}(?:AC-|… )|… \d+ more/.test(line))
      .map(line => line.trim());
  expect(listed(24, 6).map(line => line.split(/ +/)[1])).toEqual([6, 5, 4, 3, 2, 1].map(n => `AC-${n}`));
  const [first, ...rest] = listed(24, 40);
  expect(first).toMatch(/^✖ AC-6 +Fact 6\. +FAILS: one of its tests fails on the result$/);
  expect(rest.at(-1)).toBe(`… ${40 - rest.length} more`);
  expect(listed(60, 40)).toHaveLength(40);
});

it('the screen lists the places to read, with line numbers, and shortens a long path at its start', () => {
  const text = screen(PACKS['refuted']!, 140).join('\n');
  expect(text).toContain(`7 undefended lines: ${DEEP}:88-92, … 1 more · 1 weak line`);
  expect(text).toContain('or --full, --undefended');
  expect(screen(PACKS['refuted']!).join('\n')).toMatch(
    /Read +7 undefended lines: ….*\/limit\.ts:88-92, … 1 more/,
  );
  expect(screen(PACKS['the demo']!).join('\n')).not.toMatch(/Read {2}|--undefended/);
});

it('the screen and the list of undefended lines say which lines only moved', async () => {
  const moved = examWith([
    { ...unit('src/a.ts', 1, 9, 'untested'), moved: true },
    { ...unit('src/b.ts', 1, 4, 'untested'), moved_lines: [{ first: 2, last: 3 }] },
    { ...unit('src/c.ts', 7, 7, 'not-loaded'), lines: null, base_lines: { first: 8, last: 8 }, moved: true },
    unit('src/d.ts', 5, 5, 'not-loaded'),
  ]);
  const shown = () => screen(pack([], moved), 200).join('\n');
  expect(shown()).toContain(
    '14 undefended lines (11 only moved): src/a.ts:1-9 (only moved), src/b.ts:1-4 (2-3 only moved), src/c.ts:7 (removed lines, only moved), src/d.ts:5',
  );
  expect(undefendedList(moved)).toEqual([
    'src/a.ts:1: all tests pass without these lines; these lines only moved',
    'src/b.ts:1: all tests pass without these lines; lines 2-3 only moved',
    'src/c.ts:7: no test loads this file; these lines only moved',
    'src/d.ts:5: no test loads this file',
  ]);
  await loadLanguage({ DURE_LANG: 'ko' });
  expect(shown()).toContain('테스트가 지키지 않는 14줄 (11줄은 위치만 옮김)');
  expect(undefendedList(moved)[1]).toContain('2-3줄은 위치만 옮김');
});

it('a shortened place keeps its line numbers rather than its note', () => {
  const change = examWith([
    { ...unit('src/cachetools/_cachedmethod.py', 104, 105, 'untested'), moved: true },
    unit('src/b.ts', 1, 41, 'reached'),
  ]);
  const read = (width: number) => screen(pack([], change), width).find(line => line.includes('undefended'));
  expect(read(80)).toMatch(/2 undefended lines \(2 only moved\): ….*py:104-105 · 41 weak lines$/);
  expect(read(96)).toMatch(
    /2 undefended lines \(2 only moved\): ….*py:104-105 \(only moved\) · 41 weak lines$/,
  );
});

it('the screen announces no list of places if it has no room for one', async () => {
  const change = examWith([
    { ...unit(DEEP, 1, 1000, 'untested'), moved: true },
    unit('src/app.ts', 14, 15, 'untested'),
    unit('src/b.ts', 1, 120, 'reached'),
  ]);
  const read = (width: number) =>
    screen(pack([], change), width)
      .find(line => /^ *! (?:Read|읽을 곳) /.test(line))!
      .replace(/^ *! (?:Read|읽을 곳) +/, '');
  expect(read(60)).toBe('1002 undefended lines (1000 only moved) · 12…');
  expect(read(140)).toMatch(/^1002 undefended lines \(1000 only moved\): ….*, … 1 more · 120 weak lines$/);
  const few = examWith([unit(DEEP, 1, 5, 'untested'), ...Array.from({ length: 9 }, () => change.units[1]!)]);
  for (let width = 60; width < 100; width += 1)
    expect(screen(pack([], few), width).join('\n')).not.toMatch(/lines: (?:…?,|….{0,6},|\n)/);
  await loadLanguage({ DURE_LANG: 'ko' });
  expect(read(60)).not.toContain(':');
});

it('the screen says how many changed lines were not examined, and how many files are not in any coverage report', async () => {
  const change = { ...examWith([unit('src/app.ts', 14, 15, 'not-run')]), complete: false };
  const row = () => screen(pack([], change)).filter(line => /out of time|시간이 다/.test(line));
  expect(row()).toEqual(['  ! Exam       ran out of time: 2 changed lines not examined']);
  const tests = { ...evidence.tests, unmeasured: ['a.js'], unmeasured_count: 4 };
  expect(evidenceView({ ...evidence, tests }, 80)).toMatch(/a\.js has changed.*report\n +… 3 more\n/);
  await loadLanguage({ DURE_LANG: 'ko' });
  expect(row()).toEqual(['  ! 시험       시간이 다 됨: 바뀐 줄 2개를 검사하지 못함']);
});

it('the screen and the view of the evidence say that no checks ran', () => {
  const none = /^ {2}! Checks +none ran: /m;
  expect(screen(pack([])).join('\n')).toMatch(none);
  expect(stripVTControlCharacters(evidenceView(evidence, 100))).toMatch(none);
});

it('the screen begins with warnings, then the verdict and why Dure lowered it', () => {
  const lines = screen(PACKS['lowered, with every warning']!);
  expect(lines.slice(0, 4)).toEqual([
    '  ! Agents: without a sandbox, with your permissions.',
    `  ! These tests from base fail on the result, which changes or removes them: Mo…`,
    '  ! These checks prove nothing, because they fail on base too: lint',
    '  ! … 8 more',
  ]);
  expect(lines[5]).toMatch(/^ {2}✖ Verdict +MINOR_FAIL: PASS became MINOR_FAIL: AC-1 is not proven: its/);
  expect(lines[6]).toMatch(/…$/);
});

const TIME_UP = 'the exam ran out of time before everything was tried';
/** The tests failed without the change, but not everything was tried. */
const half = {
  text: LONG,
  tests: [{ ...criterion(1, 'confirmed').tests[0]!, ghost: null, placebo: null, killed_by: null }],
};

it('the screen marks only confirmed criteria as confirmed, and says first what the others lack', async () => {
  vi.stubEnv('FORCE_COLOR', '1');
  const shown = pack([
    criterion(1, 'passes', { ...half, reason: TIME_UP }),
    criterion(2, 'passes', {
      ...half,
      reason:
        'the exam reads none of the changed files: they are tests, generated, or not code in a supported language',
    }),
    criterion(3, 'passes', { text: LONG }),
    criterion(4, 'confirmed'),
  ]);
  const of = (lines: readonly string[]) =>
    lines.filter(line => line.includes('AC-')).map(line => stripVTControlCharacters(line));
  const green = (lines: readonly string[]) =>
    lines.filter(line => line.includes('AC-') && line.includes('\u001b[32m'));
  const lines = screen(shown);
  expect(green(lines)).toEqual([expect.stringContaining('AC-4')]);
  expect(of(lines)).toEqual([
    expect.stringMatching(/^ {2}\? AC-1 .*… {2}not fully examined: red→green ×3$/),
    expect.stringMatching(/^ {2}\? AC-2 .*… {2}not confirmed: the exam reads none of t…$/),
    expect.stringMatching(/^ {2}\? AC-3 .*… {2}not examined: 0 tests pass on the result$/),
    expect.stringMatching(/^ {2}✔ AC-4 .* red→green ×3$/),
  ]);
  const whole = judgedCriteria(shown.criteria);
  expect(green(whole)).toEqual([expect.stringContaining('AC-4')]);
  expect(whole.map(line => stripVTControlCharacters(line).trim())).toContain(
    'not fully examined: 1 test passes on the result, red→green ×3',
  );
  const many = criterion(1, 'passes', { ...half, test_counts: { total: 130, passed: 120, proving: 0 } });
  expect(judgedCriteria(pack([many]).criteria).join('\n')).toContain('120 tests pass on the result');
  await loadLanguage({ DURE_LANG: 'ko' });
  expect(of(screen(shown))[0]).toMatch(/끝까지 시험하지 못함: red→green ×3$/);
});

it('the screen says how many tests of a confirmed criterion prove it, if not all do', () => {
  const [proof] = criterion(1, 'confirmed').tests;
  const idle = { ...proof!, id: 'idle', killed_by: ['u7'], proves: false };
  const partly = criterion(1, 'confirmed', {
    tests: [proof!, idle],
  });
  const told = (shown: JudgedCriterion) =>
    stripVTControlCharacters(judgedCriteria(pack([shown]).criteria)[1]!);
  expect(told(partly)).toMatch(/red→green ×3 · fails in 2 broken versions · proven by 1 of 2 tests$/);
  expect(told(criterion(1, 'confirmed'))).toMatch(/fails in 2 broken versions$/);
  expect(screen(pack([partly])).join('\n')).toContain('red→green ×3 · proven by 1 of 2 tests');
});

it('the screen offers to continue an exam that ran out of time', () => {
  const exam = { criteria: [], hash: 'h', runs: { launch: 5, hash: 'h' }, tree: BASE, tests_tree: BASE };
  const tests = { machine: 'pass', exit_code: 0, ...evidence.tests, tree: BASE, tests_tree: BASE };
  const sealed = { build: { commit: BASE, tree: BASE } };
  const unfinished = { ...ready, sealed, exam, tests } as typeof ready;
  const command = `dure exam ${RUN_ID} --budget 10m`;
  const shown = { ...PACKS['lowered, with every warning']!, state: unfinished };
  for (const name of Object.keys(PACKS)) {
    const lines = screen({ ...PACKS[name]!, state: { ...unfinished, verdict: PACKS[name]!.state.verdict } });
    expect(lines.length, lines.join('\n')).toBeLessThanOrEqual(23);
    expect(lines.join('\n')).toContain(command);
  }
  expect(screen({ ...shown, state: ready }).join('\n')).not.toContain('dure exam');
});

it.each([
  [0.2, true, '$0.20'],
  [0.2, false, 'at least $0.20'],
  [0, false, 'unknown'],
  [0, true, '$0.00'],
])('a cost of %d (complete: %s) is shown as %s', (cost_usd, cost_complete, shown) => {
  const lines = stripVTControlCharacters(evidenceView({ ...evidence, cost_usd, cost_complete }, 100));
  const cost = /^ {2}· Cost +(.*)$/m.exec(lines);
  expect(cost?.[1]).toBe(shown);
});
