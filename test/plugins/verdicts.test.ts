import { expect, test } from 'vitest';
import verdicts from '../../plugins/verdicts/src/index.ts';
import { contributionsOf } from '../../src/plugins/load-contributions.ts';
import { sampleSummary } from '../helpers/sample-values.ts';

const { verdicts: handlers, problems } = await contributionsOf([
  { plugin: 'dure', load: verdicts, builtIn: true },
]);

test.each([
  ['PASS', { next: 'ready' }],
  ['MINOR_FAIL', { next: 'rework', minor: true }],
  ['FAIL', { next: 'rework' }],
  ['NEEDS_HUMAN', { next: 'ask', question: 'who decides?' }],
])('%s leads to its outcome', async (word, outcome) => {
  const handler = handlers.find(({ verdict }) => verdict === word);
  expect(await handler?.outcome({ verdict: word, reason: 'who decides?' }, sampleSummary())).toEqual(outcome);
});

test('there are exactly four verdicts, and they are valid', () => {
  expect(handlers.map(({ verdict }) => verdict)).toEqual(['PASS', 'MINOR_FAIL', 'FAIL', 'NEEDS_HUMAN']);
  expect(problems).toEqual([]);
});
