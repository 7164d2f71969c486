import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { withTestTimeout } from '../../src/proof/rewrite-test-command.ts';

/** Only a test that hangs takes so long (ms), even on a machine that stalls. */
const LIMIT_MS = 3000;

const folder = mkdtempSync(join(tmpdir(), 'dure-python-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const hasPytest = spawnSync('python3', ['-m', 'pytest', '--version']).status === 0;
const hasPython = spawnSync('python3', ['--version']).status === 0;

const WAITS = `import threading
import unittest


class Waits(unittest.TestCase):
    def test_1_before(self):
        self.assertEqual(1, 1)

    def test_2_hangs(self):
        while True:
            try:
                threading.Event().wait()
            except Exception:
                pass

    def test_3_after(self):
        self.assertEqual(1, 2)
`;

function outputOf(command: string): string {
  writeFileSync(join(folder, 'test_waits.py'), WAITS);
  const limited = withTestTimeout(command, LIMIT_MS);
  expect(limited).not.toBe(command);
  const { stdout, stderr } = spawnSync('sh', ['-c', limited], { cwd: folder, encoding: 'utf8' });
  return stdout + stderr;
}

test.skipIf(!hasPytest)(
  'a test that hangs does not hide later tests in pytest (skipped without pytest)',
  () => {
    for (const pytest of ['A=1 python3 -m pytest', 'true && pytest']) {
      const output = outputOf(`${pytest} -p no:cacheprovider -rA 'test_waits.py'`);
      expect(output).toMatch(/PASSED .*test_1_before/);
      expect(output).toMatch(/FAILED .*test_2_hangs - .*TimeLimit: the test did not end/);
      expect(output).toMatch(/FAILED .*test_3_after - AssertionError/);
    }
  },
);

test.skipIf(!hasPython)(
  'a test that hangs does not hide later tests in unittest (skipped without python3)',
  () => {
    const output = outputOf('python3 -m unittest -v test_waits');
    expect(output).toMatch(/test_1_before .* \.\.\. ok/);
    expect(output).toMatch(/TimeLimit: the test did not end/);
    expect(output).toMatch(/test_3_after .* \.\.\. FAIL/);
  },
);

test('a Python command is left unchanged if Dure does not know how to set a limit', () => {
  for (const other of [
    'python3 -m pytest | tee out',
    'python3 -m pytest; true',
    'pytest --timeout=10',
    'python3 run_tests.py',
    'tox -e pytest-1',
  ])
    expect(withTestTimeout(other, LIMIT_MS)).toBe(other);
});
