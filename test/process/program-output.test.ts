import { expect, test } from 'vitest';
import { programOutput } from '../../src/process/program-output.ts';

test('the output of a program is returned, unless it is missing, fails, or takes too long', async () => {
  expect(await programOutput('echo', ['a'])).toBe('a');
  expect(await programOutput('sh', ['-c', 'echo $ONLY'], { env: { PATH: '/bin:/usr/bin', ONLY: 'b' } })).toBe(
    'b',
  );
  expect(await programOutput('sh', ['-c', 'echo a; exit 1'])).toBeNull();
  expect(await programOutput('/none/such', [])).toBeNull();
  expect(await programOutput('sh', ['-c', 'echo a; sleep 600'], { limitMs: 300 })).toBeNull();
});

test('if a process that the program left behind keeps the output open, what there is at the time limit is returned', async () => {
  expect(await programOutput('sh', ['-c', 'echo a; sleep 10 &'], { limitMs: 3000 })).toBe('a');
});
