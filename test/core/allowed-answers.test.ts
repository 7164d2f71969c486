/** Which option a text names. */
import { expect, test } from 'vitest';
import { optionNamed } from '../../src/core/policy/questions/allowed-answers.ts';
import { sampleQuestion } from '../helpers/sample-values.ts';

const crp = {
  ...sampleQuestion(),
  options: [
    { id: 'A', label: 'SQLite' },
    { id: 'B', label: 'a' },
    { id: 'C', label: 'Other' },
    { id: 'D', label: 'The same' },
    { id: 'E', label: 'The same' },
  ],
};

test.each([
  ['its id', 'B', 'B'],
  ['its id in lower case', ' b ', 'B'],
  ['its label', 'sqlite', 'A'],
  ['its id and label, as the dashboard lists it', 'A: SQLite', 'A'],
  ['an id that is the label of another option', 'a', 'A'],
  ['its id, although its label means text', 'C', 'C'],
])('%s: %s names the option %s', (_, text, id) => {
  expect(optionNamed(crp, text)?.id).toBe(id);
});

test.each([
  ['the answer that is only text, although an option has this label', 'OTHER'],
  ['the label of two options', 'The same'],
  ['anything else', 'PostgreSQL'],
])('%s names no option: %s', (_, text) => {
  expect(optionNamed(crp, text)).toBeUndefined();
});
