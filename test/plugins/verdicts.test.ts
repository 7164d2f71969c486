import { expect, test } from 'vitest';
import verdicts from '../../plugins/verdicts/src/index.ts';
import { gatherFrom } from '../../src/plugins/host.ts';
import { sampleState } from './samples.ts';

const { verdicts: handlers, problems } = await gatherFrom([
  { plugin: 'dure', load: verdicts, builtIn: true },
]);

test.each([
  ['PASS', { next: 'ready' }],
  ['MINOR_FAIL', { next: 'fix' }],
  ['FAIL', { next: 'build' }],
  ['NEEDS_HUMAN', { next: 'ask', question: 'who decides?' }],
])('%s leads to its outcome', (word, outcome) => {
  const handler = handlers.find(({ verdict }) => verdict === word);
  expect(handler?.outcome({ verdict: word, reason: 'who decides?' }, sampleState())).toEqual(outcome);
});

test('there are exactly four words, and nothing is wrong with them', () => {
  expect(handlers.map(({ verdict }) => verdict)).toEqual(['PASS', 'MINOR_FAIL', 'FAIL', 'NEEDS_HUMAN']);
  expect(problems).toEqual([]);
});
