/** The command that continues a run. */
import { expect, test } from 'vitest';
import { commandFor } from '../../src/core/policy/command-for-user.ts';
import type { Crp } from '../../src/formats/crp-and-vcr.ts';
import { NOW, RUN_ID, sampleState } from '../helpers/sample-values.ts';

const waiting = sampleState(undefined, { phase: 'waiting_human', pending_crp: 'crp-001' });
const question: Crp = {
  crp_id: 'crp-001',
  created_by: 'refiner',
  type: 'clarification',
  question: '?',
  status: 'pending',
  options: [
    { id: 'A', label: 'a' },
    { id: 'B', label: 'b' },
  ],
};

test('every phase that waits for the user has a command', () => {
  const command = (change: object) => commandFor(sampleState(undefined, change));
  expect(command({ phase: 'build', step: 'build', since: NOW })).toBeNull();
  expect(command({ phase: 'build', step: 'build', since: NOW, timeout_noticed: true })).toBe(
    `dure extend ${RUN_ID}`,
  );
  expect(command({ phase: 'waiting_human', pending_crp: 'crp-001' })).toBe(`dure answer ${RUN_ID}`);
  expect(command({ phase: 'ready_for_merge' })).toBe(`dure review ${RUN_ID}`);
  expect(command({ phase: 'interrupted', interrupted_from: 'build' })).toBe(`dure recover ${RUN_ID}`);
  for (const phase of ['completed', 'failed', 'stopped']) expect(command({ phase })).toBeNull();
});

test('if the question is known, the command contains the recommended option, or the first if none is recommended', () => {
  expect(commandFor(waiting, question)).toBe(`dure answer ${RUN_ID} --decision A`);
  expect(commandFor(waiting, { ...question, recommendation: 'B' })).toBe(
    `dure answer ${RUN_ID} --decision B`,
  );
});

test("an option's id cannot inject a command into the line that the user pastes", () => {
  const hostile = { ...question, options: [{ id: "x'; rm -rf ~\n", label: 'a' }] };
  expect(commandFor(waiting, hostile)).toBe(`dure answer ${RUN_ID} --decision 'x'\\''; rm -rf ~'`);
});
