import { describe, expect, it } from 'vitest';
import { decisionOutcome } from '../../src/core/run/requests/decision-outcome.ts';
import type { RunEvent } from '../../src/formats/events/events.ts';
import { runFiles } from '../../src/formats/layout.ts';
import type { RunState } from '../../src/formats/state.ts';

const files = runFiles('/p/.dure/runs/run-20260131-142233');
const HASH = 'c'.repeat(40);
const [EARLIER, ASKED, LATER] = [0, 1, 2].map(n => `2026-01-31T14:00:0${n}.000Z`) as [string, string, string];
const at = ASKED;
const READY = { phase: 'ready_for_merge', launch: 3 } as const;
const PACK = { commit: HASH, tree: HASH };
const refusal = (file: string): RunEvent => ({
  at,
  type: 'decision.refused',
  file,
  hash: 'h',
  problem: 'no proof',
});

const feedback: RunEvent = { at, type: 'mrp.rejected', feedback: 1, summary: 'No.' };
const rebased = (asked_at: string): RunEvent => ({
  ...{ at, type: 'run.rebased', from: HASH, base: HASH, onto: 'main', ...PACK },
  ...{ same_patch: true, conflicts: [], asked_at },
});
const codeOf = (outcome: ReturnType<typeof decisionOutcome>) => outcome && (outcome.refused?.code ?? 'done');

describe('an approval is answered', () => {
  const request = { kind: 'approve', asked_at: ASKED } as const;
  it.each<[string, RunEvent, string | null]>([
    [
      'by the merge',
      { at, type: 'run.completed', how: 'merge', merged: true, into: 'main', ...PACK },
      'done',
    ],
    ['by its refusal', { at, type: 'approval.refused', reason: 'not clean', asked_at: ASKED }, 'E_MERGE'],
    [
      'by the refusal of a later one',
      { at, type: 'approval.refused', reason: 'no', asked_at: LATER },
      'E_MERGE',
    ],
    [
      'not by the refusal of an earlier one',
      { at, type: 'approval.refused', reason: 'no', asked_at: EARLIER },
      null,
    ],
    ['by the refusal of its file', refusal('requests/approve.json'), 'E_DECISION_IGNORED'],
    ['not by the refusal of another file', refusal('requests/stop.json'), null],
    [
      'by another pack',
      { at, type: 'mrp.created', ...PACK, cost_usd: 1, files: {}, pack: HASH },
      'E_PACK_REMADE',
    ],
    ['not by the end of a rebase', { at, type: 'rebase.refused', reason: 'no', asked_at: ASKED }, null],
  ])('%s', (_, event, expected) => {
    expect(codeOf(decisionOutcome(files, request, [event], READY))).toBe(expected);
  });
});

describe('a rebase is answered', () => {
  const request = { kind: 'rebase', asked_at: ASKED } as const;
  it.each<[string, RunEvent, string | null]>([
    ['by its end', rebased(ASKED), 'done'],
    ['by the end of a later one', rebased(LATER), 'done'],
    ['by its refusal', { at, type: 'rebase.refused', reason: 'no', asked_at: ASKED }, 'E_REBASE'],
    [
      'not by the refusal of an earlier one',
      { at, type: 'rebase.refused', reason: 'no', asked_at: EARLIER },
      null,
    ],
    ['by the refusal of its file', refusal('requests/rebase.json'), 'E_DECISION_IGNORED'],
    ['not by the refusal of another file', refusal('requests/approve.json'), null],
  ])('%s', (_, event, expected) => {
    expect(codeOf(decisionOutcome(files, request, [event], READY))).toBe(expected);
  });
});

describe('a request about a pack is refused', () => {
  const request = { kind: 'exam', asked_at: ASKED } as const;
  it.each<[string, RunEvent[], RunState['phase'], string | null]>([
    ['when feedback is given', [feedback], 'build', 'E_NOT_READY'],
    ['when a request of another kind is carried out', [rebased(ASKED)], 'execute', 'E_NOT_READY'],
    ['when a question is asked', [], 'waiting_human', 'E_NOT_READY'],
    ['not when the run is interrupted, because it waits again afterwards', [], 'interrupted', null],
    ['not when the run is over, because callers report that', [], 'stopped', null],
  ])('%s', (_, events, phase, expected) => {
    expect(codeOf(decisionOutcome(files, request, events, { phase, launch: 3 }))).toBe(expected);
  });

  it('but not when an event shows that it was carried out', () => {
    const extended: RunEvent = { at, type: 'exam.extended', budget_s: 60, asked_at: ASKED };
    const events: RunEvent[] = [{ at, type: 'run.continued' }, extended];
    expect(codeOf(decisionOutcome(files, request, events, { phase: 'exam', launch: 3 }))).toBe('done');
  });
});

describe('a request about an agent is answered', () => {
  const request = { kind: 'retry', asked_at: ASKED, launch: 3 } as const;
  const retried = (asked_at: string): RunEvent => ({
    ...{ at, type: 'agent.retried', agent: 'builder', step: 'build', launch: 3, iteration: 1, asked_at },
  });
  const outcome = (launch: number, ...events: RunEvent[]) =>
    codeOf(decisionOutcome(files, request, events, { phase: 'build', launch }));

  it('when it, or a later request, has been carried out', () => {
    expect(outcome(4, retried(ASKED))).toBe('done');
    expect(outcome(4, retried(LATER))).toBe('done');
  });

  it('when that agent ends, because the request does not apply to the next one', () => {
    expect(outcome(4)).toBe('E_AGENT_ENDED');
    expect(outcome(4, retried(EARLIER))).toBe('E_AGENT_ENDED');
  });

  it('but not while that agent is still running', () => {
    expect(outcome(3, retried(EARLIER))).toBeNull();
  });
});

describe('an answer is recorded', () => {
  const sent = { kind: 'answer', vcr_id: 'vcr-002', crp_id: 'crp-002' } as const;
  const answered = (vcr_id: string, crp_id: string): RunEvent => ({
    ...{ at, type: 'vcr.created', vcr_id, crp_id, decision: 'sqlite', rationale: '' },
    ...{ effect: 'resume', applies_to_future: false },
  });
  it.each<[string, RunEvent, string | null]>([
    ['by its event', answered('vcr-002', 'crp-002'), 'done'],
    ['not if another answer to the question is used', answered('vcr-003', 'crp-002'), 'E_ANSWERED'],
    ['not by an answer to another question', answered('vcr-001', 'crp-001'), null],
  ])('%s', (_, event, expected) => {
    expect(codeOf(decisionOutcome(files, sent, [event], { phase: 'build', launch: 3 }))).toBe(expected);
  });
});

it.each([
  [{ kind: 'stop', asked_at: ASKED } as const, 'requests/stop.json'],
  [{ kind: 'answer', vcr_id: 'vcr-001', crp_id: 'crp-001' } as const, 'vcr/vcr-001.json'],
  [{ kind: 'feedback', feedback: 2 } as const, 'feedback/feedback-002.json'],
  [{ kind: 'exam', asked_at: ASKED } as const, 'requests/exam.json'],
  [{ kind: 'extend', asked_at: ASKED, launch: 3 } as const, 'requests/extend.json'],
])('a decision whose file was changed is refused: %j', (sent, file) => {
  expect(decisionOutcome(files, sent, [refusal(file)], READY)?.refused).toMatchObject({
    code: 'E_DECISION_IGNORED',
    message: expect.stringContaining(`${file} is not valid: no proof`),
  });
});
