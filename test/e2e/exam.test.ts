/** The exam in whole runs: tests that do not depend on the change are sent back once. */
import { readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { readLog } from '../../src/core/run/record/read-run-record.ts';
import { recordedDecisions } from '../../src/core/run/record/verify-recorded-decisions.ts';
import { requestExam } from '../../src/core/run/requests/write-requests.ts';
import type { Move } from '../../src/formats/cassette.ts';
import { criteriaReportFile } from '../../src/formats/exam/criteria-report.ts';
import { load } from '../../src/formats/read-and-write-files.ts';
import { builds, cassette, config, flag, refines } from './agent-moves.ts';
import { scratchProject } from './scratch-project.ts';

const CRITERIA = `# Refined

Write greeting.txt.

## Acceptance criteria
- AC-1: greeting.txt contains hello.
- AC-2: greeting.txt has one line.
- AC-3 (keeps): README.md is there.
`;
const refines3: Move[] = [{ write: 'briefing/refined.md', text: CRITERIA }, ...refines.slice(1)];

/** Each test is a shell condition, by title. */
const tests = (conditions: Record<string, string>): Move[] => [
  {
    write: 'verifier/tests/greets.sh',
    text: [
      'echo TAP version 13; all=0; n=0',
      'check() { n=$((n+1)); if eval "$2"; then echo "ok $n - $1"; else echo "not ok $n - $1"; all=1; fi; }',
      ...Object.entries(conditions).map(([title, condition]) => `check '${title}' '${condition}'`),
      'echo "1..$n"; exit $all',
      '',
    ].join('\n'),
  },
  config('sh greets.sh', { test_directory: '.' }),
  flag('verifier/tests-ready.flag'),
];
const GREETS = { 'AC-1: it greets': 'grep -qs hello greeting.txt', 'AC-3: README': 'test -f README.md' };
const HOLLOW = { ...GREETS, 'AC-2: one line': 'true' };
const REAL = { ...GREETS, 'AC-2: one line': 'test "$(cat greeting.txt | wc -l)" = 1' };

test('a test that passes without the change is sent back once with the reason', async () => {
  const { start } = await scratchProject();
  const run = await start(
    cassette({ refiner: [refines3], 'verifier:generate': [tests(HOLLOW), tests(REAL)] }),
  );
  const ready = await run.drive();
  expect(ready.phase).toBe('ready_for_merge');
  expect(await run.eventTypes('agent.failed', 'tests.executed', 'exam.executed', 'verdict.given')).toEqual([
    'tests.executed',
    'exam.executed',
    'tests.executed',
    'exam.executed',
    'verdict.given',
  ]);
  const examined = (await run.events()).flatMap(e => (e.type === 'exam.executed' ? [e.criteria] : []));
  expect(examined[0]).toContainEqual({
    id: 'AC-2',
    status: 'not-claimed',
    failed: 'base',
    reason: 'its test passes without the change too',
  });
  expect(await readFile(run.files.promptOf('verifier', 6), 'utf8')).toContain(
    'AC-2: its test passes without the change too',
  );
  const report = await load(criteriaReportFile, run.files.criteria);
  expect(report?.criteria.map(({ id, tests: [first] }) => [id, first?.head, first?.base])).toEqual([
    ['AC-1', ['pass', 'pass', 'pass'], ['error', 'error', 'error']],
    ['AC-2', ['pass', 'pass', 'pass'], ['error', 'error', 'error']],
    ['AC-3', ['pass', 'pass', 'pass'], ['pass', 'pass', 'pass']],
  ]);
});

test('if a test still passes without the change after it was sent back, a person is asked', async () => {
  const { start } = await scratchProject();
  const run = await start(
    cassette({ refiner: [refines3], 'verifier:generate': [tests(HOLLOW), tests(HOLLOW)] }),
  );
  expect((await run.drive()).phase).toBe('waiting_human');
  expect((await run.eventTypes('exam.executed')).length).toBe(2);
  const given = (await run.events()).flatMap(e => (e.type === 'verdict.given' ? [e.lowered] : []));
  expect(given).toEqual([
    'PASS became MINOR_FAIL: AC-2 is not proven: its test passes without the change too',
  ]);
  await run.answer('accept');
  expect((await run.drive()).phase).toBe('ready_for_merge');
  const report = await load(criteriaReportFile, run.files.criteria);
  expect(report?.criteria[1]).toMatchObject({ status: 'not-claimed', failed: 'base' });
});

test('an exam whose record was changed after the exam ended does not count', async () => {
  const { start } = await scratchProject();
  const run = await start(
    cassette({
      refiner: [refines3],
      'verifier:generate': [tests(REAL)],
      'verifier:analyse': [
        [
          { json: 'verifier/exam.json', value: {} },
          { json: 'verifier/results.json', value: { summary: 'read' } },
          flag('verifier/done.flag'),
        ],
      ],
    }),
  );
  expect((await run.drive()).phase).toBe('ready_for_merge');
  const report = await load(criteriaReportFile, run.files.criteria);
  expect(report?.criteria.every(({ status }) => status !== 'confirmed')).toBe(true);
});

const GREET = 'export const greet = n => {\n  return "hello";\n};\n';
const REFUSES = GREET.replace('{\n', '{\n  if (n > 60) return "no";\n');
const TESTS = `import assert from 'node:assert';
import { test } from 'node:test';
import { greet } from './greet.mjs';
test('AC-1: refuses the 61st', () => assert.equal(greet(61), 'no'));
`;

/** A run that waits for approval and whose exam had no time to break the change. */
async function hurried() {
  const there = await scratchProject({
    files: { 'greet.mjs': GREET },
    config: { global: { proof: { budget_s: 0, rounds: 2 } } },
  });
  const run = await there.start(
    cassette({
      refiner: [
        [
          {
            write: 'briefing/refined.md',
            text: 'Refuse.\n\n## Acceptance criteria\n- AC-1: The 61st is refused.\n',
          },
          ...refines.slice(1),
        ],
      ],
      builder: [builds(REFUSES, 'greet.mjs')],
      'verifier:generate': [
        [
          { write: 'verifier/tests/greet.test.mjs', text: TESTS },
          config('node --test --test-reporter=tap greet.test.mjs', { test_directory: '.' }),
          flag('verifier/tests-ready.flag'),
        ],
      ],
    }),
  );
  const ready = await run.drive();
  expect(ready).toMatchObject({ phase: 'ready_for_merge', exam: { criteria: [{ status: 'passes' }] } });
  return { there, run, ready };
}
const LATER = ['exam.extended', 'exam.executed', 'mrp.created', 'verdict.given', 'run.completed'] as const;

test('an exam that gets more time continues, and leads to a new pack of the same tree', async () => {
  const { run, ready } = await hurried();
  const before = await load(criteriaReportFile, run.files.criteria);
  expect(before).toMatchObject({ change: null, criteria: [{ status: 'passes' }] });
  await requestExam(run.files, ready, 300);
  const again = await run.drive();
  expect(await run.eventTypes(...LATER)).toEqual([
    ...['exam.executed', 'verdict.given', 'mrp.created'],
    ...['exam.extended', 'exam.executed', 'mrp.created'],
  ]);
  expect(again).toMatchObject({ phase: 'ready_for_merge', verdict: ready.verdict, rerun: null });
  expect(again.mrp).toMatchObject({ tree: ready.mrp!.tree, commit: ready.mrp!.commit });
  expect(again.mrp!.pack).not.toBe(ready.mrp!.pack);
  const report = await load(criteriaReportFile, run.files.criteria);
  expect(report).toMatchObject({ change: { complete: true }, criteria: [{ status: 'confirmed' }] });
  // The rounds of the first exam count, and no others were run.
  const text = await readFile(run.files.screen('verifier', again.launch), 'utf8');
  expect(text).toContain('The tests on broken versions of the result');
  expect(text).not.toContain('The tests on the base commit');
  expect(report!.criteria[0]!.tests[0]).toMatchObject({ base: ['assert', 'assert'] });
  const { events } = await readLog(run.files.events);
  expect(await recordedDecisions(run.files, again, events)).toMatchObject([
    { kind: 'exam', through: 'terminal', proof: 'not kept' },
  ]);
  await expect(requestExam(run.files, again, 60)).rejects.toMatchObject({ code: 'E_EXAM_COMPLETE' });
  expect((await run.approve()).phase).toBe('completed');
});

test('an exam starts over if the record of its earlier test runs was changed', async () => {
  const { run, ready } = await hurried();
  const kept = run.files.examRuns(ready.exam!.runs!.launch);
  await writeFile(kept, (await readFile(kept, 'utf8')).replaceAll('"assert"', '"error"'));
  await requestExam(run.files, ready, 300);
  const again = await run.drive();
  expect(again.exam?.criteria).toMatchObject([{ status: 'confirmed' }]);
  const text = await readFile(run.files.screen('verifier', again.launch), 'utf8');
  expect(text).toContain('The tests on the base commit');
});
