import { describe, expect, it } from 'vitest';
import {
  agentRequestOutcome,
  approvalOutcome,
  rebaseOutcome,
} from '../../src/core/run/requests/request-outcome.ts';
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

describe('an approval is answered by', () => {
  const request = { asked_at: ASKED, tree: HASH, how: 'merge', tests: 'leave', hooks: 'run' } as const;
  it.each<[string, RunEvent, string | null]>([
    ['the merge', { at, type: 'run.completed', how: 'merge', merged: true, into: 'main', ...PACK }, 'done'],
    ['its refusal', { at, type: 'approval.refused', reason: 'not clean', asked_at: ASKED }, 'E_MERGE'],
    [
      'the refusal of a later one',
      { at, type: 'approval.refused', reason: 'no', asked_at: LATER },
      'E_MERGE',
    ],
    [
      'not the refusal of an earlier one',
      { at, type: 'approval.refused', reason: 'no', asked_at: EARLIER },
      null,
    ],
    ['the refusal of its file', refusal('requests/approve.json'), 'E_MERGE'],
    ['not the refusal of another file', refusal('requests/stop.json'), null],
    [
      'another pack',
      { at, type: 'mrp.created', ...PACK, cost_usd: 1, files: {}, pack: HASH },
      'E_PACK_REMADE',
    ],
    ['feedback', { at, type: 'mrp.rejected', feedback: 1, summary: 'No.' }, 'E_NOT_READY'],
    ['not the end of a rebase', { at, type: 'rebase.refused', reason: 'no', asked_at: ASKED }, null],
  ])('%s', (_, event, expected) => {
    const outcome = approvalOutcome(files, request, event, 'build');
    expect(outcome && (outcome.refused?.code ?? 'done')).toBe(expected);
  });
});

describe('a rebase is answered by', () => {
  const request = { asked_at: ASKED, base: HASH, onto: 'main' };
  const rebased = { at, type: 'run.rebased', from: HASH, base: HASH, onto: 'main', ...PACK } as const;
  it.each<[string, RunEvent, string | null]>([
    ['its end', { ...rebased, same_patch: true, conflicts: [], asked_at: ASKED }, 'done'],
    ['not the end of another', { ...rebased, same_patch: true, conflicts: [], asked_at: LATER }, null],
    ['its refusal', { at, type: 'rebase.refused', reason: 'no', asked_at: ASKED }, 'E_REBASE'],
    ['not the refusal of another', { at, type: 'rebase.refused', reason: 'no', asked_at: LATER }, null],
    ['the refusal of its file', refusal('requests/rebase.json'), 'E_REBASE'],
    ['not the refusal of another file', refusal('requests/approve.json'), null],
    ['not feedback', { at, type: 'mrp.rejected', feedback: 1, summary: 'No.' }, null],
  ])('%s', (_, event, expected) => {
    const outcome = rebaseOutcome(files, request, event);
    expect(outcome && (outcome.refused?.code ?? 'done')).toBe(expected);
  });
});

describe('a request about an agent is answered by', () => {
  const request = { asked_at: ASKED, launch: 3 };
  const outcome = (launch: number, done?: string) =>
    agentRequestOutcome('retry', request, {
      run_id: 'run-20260131-142233',
      launch,
      requests_done: done === undefined ? {} : { retry: done },
    } as RunState);

  it('its event, or that of a later request', () => {
    expect(outcome(4, ASKED)).toBe('done');
    expect(outcome(5, LATER)).toBe('done');
  });

  it('the end of that agent, because it does not apply to the next one', () => {
    expect(outcome(4)).toMatchObject({ code: 'E_AGENT_ENDED' });
    expect(outcome(4, EARLIER)).toMatchObject({ code: 'E_AGENT_ENDED' });
  });

  it('nothing while that agent runs', () => {
    expect(outcome(3, EARLIER)).toBeNull();
  });
});
