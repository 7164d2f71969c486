/** Acceptance criteria in whole runs: from the refined briefing to the pack. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verifyRun } from '../../src/core/run/record/verify-integrity.ts';
import { requestChanges } from '../../src/core/run/requests/request-changes.ts';
import { readEvents } from '../../src/core/run/run-store.ts';
import type { Move } from '../../src/formats/cassette.ts';
import { criteriaReportFile } from '../../src/formats/exam/criteria-report.ts';
import { load } from '../../src/formats/read-and-write-files.ts';
import { quarantine } from '../../src/proof/prove-pack/open-pack-in-quarantine.ts';
import { readPack } from '../../src/proof/prove-pack/read-and-verify-pack.ts';
import { decisionsIn } from '../../src/proof/prove-pack/verify-decisions-in-pack.ts';
import { viewMrp } from '../../src/server/runs/pack-views.ts';
import { viewRun } from '../../src/server/runs/run-views.ts';
import { openRepository } from '../../src/workspace/git/open-repository.ts';
import { builds, cassette, config, flag, refines } from './agent-moves.ts';
import { scratchProject } from './scratch-project.ts';

const CRITERIA = `# Refined

Write greeting.txt.

## Acceptance criteria
- AC-1: greeting.txt contains hello.
- AC-2: greeting.txt has one line.
- AC-3 (look): It sounds friendly.
`;
const refined = (text: string): Move[] => [{ write: 'briefing/refined.md', text }, ...refines.slice(1)];

const tests = (titles: readonly string[], more: Record<string, unknown> = {}): Move[] => [
  {
    write: 'verifier/tests/greets.sh',
    text: `grep -q hello greeting.txt || exit 1\ncat <<END\nTAP version 13\n${titles.map((title, n) => `ok ${n + 1} - ${title}`).join('\n')}\n1..${titles.length}\nEND\n`,
  },
  config('sh greets.sh', { test_directory: '.', ...more }),
  flag('verifier/tests-ready.flag'),
];

test('criteria are sealed with the briefing, quoted in the prompts, and judged in the pack', async () => {
  const { start, project } = await scratchProject({ config: { global: { proof: { exam: false } } } });
  const run = await start(
    cassette({
      refiner: [refined(CRITERIA.replace('AC-2', 'AC-4')), refined(CRITERIA)],
      'verifier:generate': [tests(['AC-1: it greets']), tests(['AC-1: it greets'])],
    }),
  );
  const ready = await run.drive();
  expect(ready.phase).toBe('ready_for_merge');
  expect(ready.criteria?.list.map(({ id, kind }) => `${id} ${kind}`)).toEqual([
    'AC-1 behaviour',
    'AC-2 behaviour',
    'AC-3 look',
  ]);
  const failed = (await readEvents(run.files)).flatMap(e => (e.type === 'agent.failed' ? [e.message] : []));
  expect(failed).toEqual([
    expect.stringContaining('briefing/refined.md:7: expected AC-2, found AC-4'),
    expect.stringContaining(
      'no test names these acceptance criteria, and they are not in not_claimed: AC-2.',
    ),
  ]);
  for (const role of ['builder', 'verifier', 'gatekeeper'])
    expect(await readFile(run.files.prompt(role), 'utf8')).toContain('AC-1: greeting.txt contains hello.');

  const report = await load(criteriaReportFile, run.files.criteria);
  const seen = report?.criteria.map(({ id, status, reason, tests }) => [
    ...[id, status, reason],
    tests.map(test => test.id),
  ]);
  expect(seen).toEqual([
    ['AC-1', 'passes', null, ['AC-1: it greets']],
    ['AC-2', 'not-claimed', 'no reported test names it', []],
    ['AC-3', 'look', null, []],
  ]);
  const summary = await readFile(run.files.summary, 'utf8');
  expect(summary).toContain('## Acceptance criteria');
  expect(summary.indexOf('| AC-2 |')).toBeLessThan(summary.indexOf('| AC-1 |'));
  expect((await viewRun(run.files)).criteria).toEqual(ready.criteria);
  expect((await viewMrp(project, run.files)).criteria).toEqual(report);
});

test('tests are not sent back for a criterion with a reason in not_claimed', async () => {
  const { start } = await scratchProject();
  const run = await start(
    cassette({
      refiner: [refined(CRITERIA)],
      'verifier:generate': [tests(['AC-1: it greets'], { not_claimed: { 'AC-2': 'no tool counts lines' } })],
    }),
  );
  expect((await run.drive()).phase).toBe('ready_for_merge');
  const report = await load(criteriaReportFile, run.files.criteria);
  expect(report?.criteria[1]).toMatchObject({ status: 'not-claimed', reason: 'no tool counts lines' });
});

test('tests that are not reported by name are sent back once, and then a person decides', async () => {
  const { start } = await scratchProject();
  const unnamed: Move[] = [
    { write: 'verifier/tests/greets.sh', text: '# AC-1 AC-2\ngrep -q hello greeting.txt\n' },
    config('sh greets.sh', { test_directory: '.' }),
    flag('verifier/tests-ready.flag'),
  ];
  const run = await start(
    cassette({ refiner: [refined(CRITERIA)], 'verifier:generate': [unnamed, unnamed] }),
  );
  const state = await run.drive();
  expect(state).toMatchObject({
    phase: 'waiting_human',
    verdict: { verdict: 'MINOR_FAIL', claimed: 'PASS' },
  });
  expect(state.exam?.criteria.map(({ id, failed }) => [id, failed])).toEqual([
    ['AC-1', 'not-run'],
    ['AC-2', 'not-run'],
    ['AC-3', undefined],
  ]);
  const prompts = await Promise.all(
    (await readEvents(run.files))
      .flatMap(e => (e.type === 'agent.started' && e.step === 'generate' ? [e.launch] : []))
      .map(launch => readFile(run.files.promptOf('verifier', launch), 'utf8')),
  );
  expect(prompts).toHaveLength(2);
  expect(prompts[1]).toContain('AC-1: the test command does not report its tests by name');
});

test('a briefing without criteria is judged as a whole', async () => {
  const { start } = await scratchProject();
  const run = await start(cassette());
  expect(await run.drive()).not.toHaveProperty('criteria');
  const report = await load(criteriaReportFile, run.files.criteria);
  expect(report).toMatchObject({ sha256: null, criteria: [{ id: 'AC-0', status: 'passes' }] });
  expect(await readFile(run.files.summary, 'utf8')).not.toContain('## Acceptance criteria');
});

test('a request for changes and its comments become criteria, and the pack contains the request', async () => {
  const { start, project, root } = await scratchProject({ config: { global: { proof: { exam: false } } } });
  const first = tests(['AC-1: it greets', 'AC-2: it has one line']);
  const run = await start(
    cassette({
      refiner: [refined(CRITERIA)],
      builder: [builds('hello\n'), builds('hello Ann\n'), builds('hello Ann and Bob\n')],
      'verifier:generate': [
        first,
        tests(['AC-1: it greets', 'AC-2: it has one line', 'FB-1.1: it names Ann'], {
          not_claimed: { 'FB-1.2': 'a name of a file is not a behaviour' },
        }),
        first,
        first,
      ],
    }),
  );
  await run.drive();
  const comments = [{ file: 'greeting.txt', line: 1, comment: 'Rename this file.' }];
  await requestChanges({ ...run, state: await run.state() }, 'Greet Ann by name.', comments);
  const second = await run.drive();
  expect(second).toMatchObject({ phase: 'ready_for_merge', iteration: 2 });
  for (const role of ['builder', 'verifier', 'gatekeeper'])
    expect(await readFile(run.files.prompt(role), 'utf8')).toContain('FB-1.1: Greet Ann by name.');
  const report = await load(criteriaReportFile, run.files.criteria);
  expect(report?.criteria.slice(3).map(({ id, status, reason }) => [id, status, reason])).toEqual([
    ['FB-1.1', 'passes', null],
    ['FB-1.2', 'not-claimed', 'a name of a file is not a behaviour'],
  ]);
  expect(await readFile(run.files.summary, 'utf8')).toContain('| FB-1.1 |');
  const { repo, pack } = await quarantine(
    await openRepository(root, ''),
    { commit: second.mrp!.pack! },
    join(root, '..'),
  );
  const open = await readPack(repo, pack);
  expect(open.criteria.map(({ id }) => id)).toEqual(['AC-1', 'AC-2', 'AC-3', 'FB-1.1', 'FB-1.2']);
  expect(await decisionsIn(repo, open, '/dev/null')).toMatchObject([{ id: 'feedback-001' }]);
  expect((await verifyRun(project, run.files)).checks.every(({ fault }) => fault === null)).toBe(true);

  await requestChanges({ ...run, state: second }, 'Greet Bob too.');
  const third = await run.drive();
  expect(third.feedback_criteria?.map(({ id }) => id)).toEqual(['FB-1.1', 'FB-1.2', 'FB-2.1']);
  const sentBack = (await readEvents(run.files)).flatMap(e => (e.type === 'agent.failed' ? [e.message] : []));
  expect(sentBack.at(-1)).toContain('not in not_claimed: FB-1.1, FB-1.2, FB-2.1.');
});
