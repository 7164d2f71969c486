/** The names of the files in a run's folder. */
import { expect, test } from 'vitest';
import { isRunEntry } from '../../src/formats/layout.ts';

test('a name in the folder of a run is one that Dure writes, also for a temporary file', () => {
  const names = ['events.log', 'state.json', 'state.json.4711', 'builder', 'damaged-2', 'room'];
  expect(names.filter(name => !isRunEntry(name))).toEqual([]);
});

test.each(['..foo', '.', '.env', 'notes.txt', 'builders', 'damaged-x'])('%j is no such name', name => {
  expect(isRunEntry(name)).toBe(false);
});
