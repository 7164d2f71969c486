import { expect, test } from 'vitest';
import { mapParallel } from '../../src/process/map-parallel.ts';

/** Work that ends when it is told to. */
function manualWork() {
  const started: number[] = [];
  const end = new Map<number, (error?: Error) => void>();
  const work = (item: number): Promise<number> => {
    started.push(item);
    return new Promise((resolve, reject) =>
      end.set(item, error => (error ? reject(error) : resolve(10 * item))),
    );
  };
  const ended = async (item: number, error?: Error) => {
    end.get(item)!(error);
    await new Promise(setImmediate);
  };
  return { started, ended, work };
}

test('mapParallel processes at most the given number of items at a time, and returns results in the order of the items', async () => {
  const { started, ended, work } = manualWork();
  const all = mapParallel(2, [1, 2, 3], work);
  expect(started).toEqual([1, 2]);
  await ended(2);
  expect(started).toEqual([1, 2, 3]);
  await ended(3);
  await ended(1);
  expect(await all).toEqual([10, 20, 30]);
});

test('after an error, mapParallel starts nothing more, and rejects once everything it started has ended', async () => {
  const { started, ended, work } = manualWork();
  let isSettled = false;
  const all = mapParallel(2, [1, 2, 3], work).finally(() => {
    isSettled = true;
  });
  all.catch(() => {});
  await ended(1, new Error('full disk'));
  expect(isSettled).toBe(false);
  await ended(2);
  await expect(all).rejects.toThrow('full disk');
  expect(started).toEqual([1, 2]);
});
