import { expect, test } from 'vitest';
import {
  criteriaOf,
  feedbackCriteria,
  roundOf,
} from '../../src/core/policy/criteria/briefing-and-feedback-criteria.ts';
import { criteriaIn } from '../../src/core/policy/criteria/criterion-tags.ts';
import { evolve } from '../../src/core/policy/evolve.ts';
import { predictDriverTransition } from '../../src/core/policy/predict-driver-transition.ts';
import type { RunEvent } from '../../src/formats/events/events.ts';
import { criterion } from '../../src/formats/exam/acceptance-criteria.ts';
import { feedbackFile } from '../../src/formats/requests-and-feedback.ts';
import type { RunState } from '../../src/formats/state.ts';
import { sampleState } from '../helpers/sample-values.ts';

const NOW = '2026-01-31T14:22:33.000Z';
const comment = { file: 'src/a.js', line: 3, comment: 'breaks\n  --quiet' };

test('the text of a request for changes and each of its comments become criteria with one line of text each', () => {
  const comments = [comment, { ...comment, end_line: 5, side: 'old' as const, comment: 'keep it' }];
  expect(feedbackCriteria(2, { feedback: ' Keep the\nflag ', comments })).toEqual([
    { id: 'FB-2.1', kind: 'behaviour', text: 'Keep the flag' },
    { id: 'FB-2.2', kind: 'behaviour', text: 'src/a.js:3: breaks --quiet' },
    {
      id: 'FB-2.3',
      kind: 'behaviour',
      text: 'src/a.js:3-5 of the base, which this result deletes: keep it',
    },
  ]);
  expect(feedbackCriteria(1, { feedback: '', comments: [comment] }).map(({ id }) => id)).toEqual(['FB-1.1']);
  const [long] = feedbackCriteria(1, { feedback: `${'a'.repeat(598)}😀 and more`, comments: [] });
  expect(long!.text).toBe(`${'a'.repeat(598)}…`);
  expect(criterion.safeParse(long).success).toBe(true);
  expect([roundOf(long!), roundOf({ id: 'AC-1' })]).toEqual([1, null]);
});

test.each([
  ['FB-1.2: refuses', ['FB-1.2']],
  ['test_fb_1_2_refuses', ['FB-1.2']],
  ['TestFB12_3Refuses', ['FB-12.3']],
  ['fb_1_2, AC-4', ['AC-4', 'FB-1.2']],
  ['FB-1: whole round', []],
  ['lfb_1_2', []],
])('criteriaIn finds the comments that a test title names: %s', (title, ids) => {
  expect(criteriaIn(title)).toEqual(ids);
});

const ready = (more: Partial<RunState> = {}): RunState => ({
  ...sampleState(),
  phase: 'ready_for_merge',
  criteria: { sha256: 'a', list: [{ id: 'AC-1', kind: 'behaviour', text: 'adds' }] },
  ...more,
});

function rejected(s: RunState, content: object): RunEvent {
  const feedback = feedbackFile.shape.parse({ asked_at: NOW, tree: 'a'.repeat(40), ...content });
  return predictDriverTransition(s, { answers: [], unproven: null, requests: {}, feedback }) as RunEvent;
}
const by = {
  who: 'Ann',
  through: 'terminal',
  nonce: 'a'.repeat(32),
  proof: 'b'.repeat(64),
} as const;

test('requested changes add criteria to a run, and earlier criteria are kept', () => {
  const first = rejected(ready(), { feedback: 'Say hello', by });
  expect(first).toMatchObject({ type: 'mrp.rejected', criteria: [{ id: 'FB-1.1', text: 'Say hello' }] });
  const again = { ...evolve(ready(), first), phase: 'ready_for_merge', todo: null } as RunState;
  const second = evolve(again, rejected(again, { feedback: '', comments: [comment], by }));
  expect(criteriaOf(second)?.map(({ id }) => id)).toEqual(['AC-1', 'FB-1.1', 'FB-2.1']);
});

test('feedback adds no criteria if nothing proves that a person gave it, or if the briefing has no criteria', () => {
  expect(rejected(ready(), { feedback: 'Say hello' })).not.toHaveProperty('criteria');
  const { criteria: _, ...without } = ready();
  expect(rejected(without, { feedback: 'Say hello', by })).not.toHaveProperty('criteria');
  expect(criteriaOf(without)).toBeNull();
});
