import { describe, expect, it } from 'vitest';
import { agentRequestOutcome, packRequestOutcome } from '../../src/core/run/requests/request-outcome.ts';
import type { RunEvent } from '../../src/formats/events/events.ts';
import { runFiles } from '../../src/formats/layout.ts';
import type { RunState } from '../../src/formats/state.ts';

const files = runFiles('/p/.dure/runs/run-20260131-142233');
const HASH = 'c'.repeat(40);
const [EARLIER, ASKED, LATER] = [0, 1, 2].map(n => `2026-01-31T14:00:0${n}.000Z`) as [string, string, string];
const at = ASKED;
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
const codeOf = (outcome: ReturnType<typeof packRequestOutcome>) =>
  outcome && (outcome.refused?.code ?? 'done');

describe('an approval is answered', () => {
  const request = { asked_at: ASKED, tree: HASH, how: 'merge', tests: 'leave', hooks: 'run' } as const;
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
    ['by the refusal of its file', refusal('requests/approve.json'), 'E_MERGE'],
    ['not by the refusal of another file', refusal('requests/stop.json'), null],
    [
      'by another pack',
      { at, type: 'mrp.created', ...PACK, cost_usd: 1, files: {}, pack: HASH },
      'E_PACK_REMADE',
    ],
    ['not by the end of a rebase', { at, type: 'rebase.refused', reason: 'no', asked_at: ASKED }, null],
  ])('%s', (_, event, expected) => {
    expect(codeOf(packRequestOutcome(files, 'approve', request, [event], 'ready_for_merge'))).toBe(expected);
  });
});

describe('a rebase is answered', () => {
  const request = { asked_at: ASKED, base: HASH, onto: 'main' };
  it.each<[string, RunEvent, string | null]>([
    ['by its end', rebased(ASKED), 'done'],
    ['by the end of a later one', rebased(LATER), 'done'],
    ['by its refusal', { at, type: 'rebase.refused', reason: 'no', asked_at: ASKED }, 'E_REBASE'],
    [
      'not by the refusal of an earlier one',
      { at, type: 'rebase.refused', reason: 'no', asked_at: EARLIER },
      null,
    ],
    ['by the refusal of its file', refusal('requests/rebase.json'), 'E_REBASE'],
    ['not by the refusal of another file', refusal('requests/approve.json'), null],
  ])('%s', (_, event, expected) => {
    expect(codeOf(packRequestOutcome(files, 'rebase', request, [event], 'ready_for_merge'))).toBe(expected);
  });
});

describe('a request about a pack is refused', () => {
  const request = { asked_at: ASKED, budget_s: 60 };
  it.each<[string, RunEvent[], RunState['phase'], string | null]>([
    ['when feedback is given', [feedback], 'build', 'E_NOT_READY'],
    ['when a request of another kind is carried out', [rebased(ASKED)], 'execute', 'E_NOT_READY'],
    ['when a question is asked', [], 'waiting_human', 'E_NOT_READY'],
    ['not when the run is interrupted, because it waits again afterwards', [], 'interrupted', null],
    ['not when the run is over, because callers report that', [], 'stopped', null],
  ])('%s', (_, events, phase, expected) => {
    expect(codeOf(packRequestOutcome(files, 'exam', request, events, phase))).toBe(expected);
  });

  it('but not when an event shows that it was carried out', () => {
    const extended: RunEvent = { at, type: 'exam.extended', budget_s: 60, asked_at: ASKED };
    const events: RunEvent[] = [{ at, type: 'run.continued' }, extended];
    expect(codeOf(packRequestOutcome(files, 'exam', request, events, 'exam'))).toBe('done');
  });
});

describe('a request about an agent is answered', () => {
  const request = { asked_at: ASKED, launch: 3 };
  const outcome = (launch: number, done?: string) =>
    agentRequestOutcome('retry', request, {
      run_id: 'run-20260131-142233',
      launch,
      requests_done: done === undefined ? {} : { retry: done },
    } as RunState);

  it('when it, or a later request, has been carried out', () => {
    expect(outcome(4, ASKED)).toBe('done');
    expect(outcome(5, LATER)).toBe('done');
  });

  it('when that agent ends, because the request does not apply to the next one', () => {
    expect(outcome(4)).toMatchObject({ code: 'E_AGENT_ENDED' });
    expect(outcome(4, EARLIER)).toMatchObject({ code: 'E_AGENT_ENDED' });
  });

  it('but not while that agent is still running', () => {
    expect(outcome(3, EARLIER)).toBeNull();
  });
});
