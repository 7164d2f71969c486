import { expect, test } from 'vitest';
import { NO_PYTEST } from './examine-passed-tests.ts';
import { examined, LIMIT_MS } from './examine-sample.ts';
import { NODE } from './sample-changes.ts';
import type { Files } from './sample-repository.ts';

/** The criteria whose tests notice a part of the change with a failed assertion. */
async function noticing(before: Files, after: Files, tests: Files, command: string): Promise<number[]> {
  const { exam } = await examined({ name: '', command, before, after, tests, expected: [] });
  const asserted = exam.kills.filter(({ failure }) => failure === 'assert');
  const criteria = asserted.map(each => Number(/(?:AC-|_ac)(\d+)/.exec(each.test)![1]));
  return [...new Set(criteria)].sort((a, b) => a - b);
}

test('in JavaScript, a test that only turns a crash into a failed assertion notices nothing', {
  timeout: LIMIT_MS,
}, async () => {
  const merge = [
    "import { readFileSync } from 'node:fs';",
    'export function merge(first, second) {',
    '  const result = structuredClone(first);',
    '  for (const key of Object.keys(second)) result[key] = second[key].trim();',
    '  return result;',
    '}',
    "export const load = async path => merge({}, JSON.parse(readFileSync(path, 'utf8')));",
    'export const positive = n => {',
    "  if (!(n > 0)) throw new RangeError('not positive');",
    '  return n;',
    '};',
    'if (process.argv[2]) console.log(await load(process.argv[2]));\n',
  ].join('\n');
  const tests = [
    "import assert from 'node:assert';",
    "import { spawnSync } from 'node:child_process';",
    "import test from 'node:test';",
    "import { load, merge, positive } from './src/merge.js';",
    "const run = () => spawnSync(process.execPath, ['src/merge.js', 'data.json'], { encoding: 'utf8' });",
    "test('AC-1: a flag', () => {",
    '  let works = true;',
    "  try { merge({ a: '1' }, { b: '2' }); } catch { works = false; }",
    '  assert.ok(works);',
    '});',
    "test('AC-2: a rejected promise', async () => {",
    "  assert.equal(await load('data.json').then(() => null, error => error), null);",
    '});',
    "test('AC-3: an exit status', () => assert.equal(run().status, 0));",
    "test('AC-11: values', () => assert.deepEqual(merge({ a: '1' }, { b: ' 2' }), { a: '1', b: '2' }));",
    "test('AC-12: printed text', () => assert.equal(run().stdout, \"{ a: 'x' }\\n\"));",
    "test('AC-13: an error', () => assert.throws(() => positive(0), /not positive/));\n",
  ].join('\n');
  const base = { 'package.json': '{"type":"module"}', 'src/merge.js': '', 'data.json': '{"a":" x"}' };
  expect(await noticing(base, { 'src/merge.js': merge }, { 'a.test.mjs': tests }, NODE)).toEqual([
    11, 12, 13,
  ]);
});

test.skipIf(NO_PYTEST)(
  'in Python, a test that asserts only that no error, exit status or future reports a crash notices nothing',
  {
    timeout: LIMIT_MS,
  },
  async () => {
    const tool = [
      'import argparse',
      'import json',
      '',
      '',
      'def parsed(argv):',
      '    made = argparse.ArgumentParser()',
      "    made.add_argument('--times', type=int)",
      '    return made.parse_args(argv)',
      '',
      '',
      'async def load(text):',
      '    return json.loads(text)',
      '',
      '',
      'def lines(text):',
      '    for line in text.split():',
      '        yield line.upper()',
      '',
      '',
      'def main(argv=None):',
      "    print('x' * parsed(argv).times)",
      '',
      '',
      "if __name__ == '__main__':",
      '    main()\n',
    ].join('\n');
    const tests = [
      'import asyncio, subprocess, sys',
      'from concurrent.futures import ThreadPoolExecutor',
      'import pytest',
      'import tool',
      '',
      'def run():',
      "    command = [sys.executable, 'tool.py', '--times', '2']",
      '    return subprocess.run(command, capture_output=True, text=True)',
      '',
      'def test_ac1_error():',
      '    error = None',
      '    try:',
      "        list(tool.lines('a b'))",
      '    except Exception as caught:',
      '        error = caught',
      '    assert error is None',
      '',
      'def test_ac2_status():',
      '    assert run().returncode == 0',
      '',
      'def test_ac3_future():',
      '    with ThreadPoolExecutor(1) as pool:',
      "        assert pool.submit(lambda: list(tool.lines('a'))).exception() is None",
      '',
      'def test_ac4_gathered():',
      '    async def results():',
      "        return await asyncio.gather(tool.load('[1]'), return_exceptions=True)",
      '    assert not isinstance(asyncio.run(results())[0], Exception)',
      '',
      'def test_ac5_exit():',
      '    status = None',
      '    try:',
      "        tool.main(['--times', '2'])",
      '    except SystemExit as ended:',
      '        status = ended.code',
      '    assert not status',
      '',
      'def test_ac11_values():',
      "    assert list(tool.lines('a b')) == ['A', 'B']",
      '',
      'def test_ac12_printed():',
      "    assert run().stdout == 'xx\\n'",
      '',
      'def test_ac13_no_error_and_a_value():',
      '    try:',
      "        value = asyncio.run(tool.load('[1]'))",
      '    except ValueError:',
      '        value = None',
      '    assert value == [1]\n',
    ].join('\n');
    const command = 'python3 -m pytest -q -p no:cacheprovider --junitxml=report.xml test_tool.py';
    expect(
      await noticing({ 'tool.py': '' }, { 'tool.py': tool }, { 'test_tool.py': tests }, command),
    ).toEqual([11, 12, 13]);
  },
);
