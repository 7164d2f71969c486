import { expect, test } from 'vitest';
import { readChange } from '../../../src/proof/exam/changed-code.ts';
import { movedLines } from '../../../src/proof/exam/moved-lines.ts';
import { unitsOf } from '../../../src/proof/exam/units.ts';
import { examined, LIMIT_MS } from './examine-sample.ts';
import { NODE } from './sample-changes.ts';
import { type Files, sample } from './sample-repository.ts';

/** The units of a change, as `file:line moved`, `file:line moved 3-4` if only these lines moved, or `file:line`. */
async function movesIn(before: Files, after: Files): Promise<string[]> {
  const { repository, base, head } = await sample(before, after);
  const units = unitsOf(await readChange(repository, base, head));
  const moved = movedLines(units);
  return units.map(unit => {
    const { isWhole = true, lines: ranges = [] } = moved.get(unit) ?? {};
    const part = isWhole ? '' : ` ${ranges.map(({ from, to }) => `${from + 1}-${to}`).join(' ')}`;
    return `${unit.file.path}:${unit.head.from + 1}${moved.has(unit) ? ' moved' : ''}${part}`;
  });
}

const lines = (...of: string[]): string => `${of.join('\n')}\n`;
const CHECK = '    check_permission(user, action)';
const remove = (name: string, ...body: string[]) => [
  `def ${name}(user, action):`,
  ...body,
  '    run(action)',
  '',
];

test('lines count as only moved if the change both removes and adds them', async () => {
  const code = ['', 'def size():', '    return os.path.getsize(sys.argv[1])'];
  const sorted = await movesIn(
    { 'a.py': lines('import sys', 'import os', ...code) },
    { 'a.py': lines('import os', 'import sys', ...code) },
  );
  expect(sorted).toEqual(['a.py:1 moved', 'a.py:2 moved']);
  const shown = ['def shown(text):', '    return text.strip().lower()', ''];
  const toOtherFile = await movesIn(
    { 'a.py': lines(...shown, 'x = 1'), 'b.py': lines('y = 1') },
    { 'a.py': lines('x = 1'), 'b.py': lines('y = 1', '', ...shown) },
  );
  expect(toOtherFile.length).toBeGreaterThan(1);
  expect(toOtherFile.every(each => each.endsWith(' moved'))).toBe(true);
});

test('a line that is removed more often than added, or the reverse, does not count as only moved', async () => {
  const fewer = await movesIn(
    { 'a.py': lines(...remove('one', CHECK), ...remove('two', CHECK)), 'b.py': lines('y = 1') },
    { 'a.py': lines(...remove('one'), ...remove('two')), 'b.py': lines('y = 1', ...remove('three', CHECK)) },
  );
  expect(fewer.filter(each => each.startsWith('a.py'))).toEqual(['a.py:2', 'a.py:5']);
  const more = await movesIn(
    { 'a.py': lines(...remove('one', CHECK), ...remove('two')) },
    { 'a.py': lines(...remove('one'), ...remove('two', CHECK), CHECK.trim()) },
  );
  expect(more).toEqual(['a.py:2 moved', 'a.py:5', 'a.py:8']);
});

test('neither a changed line nor a short line that occurs in two places counts as only moved', async () => {
  const changed = await movesIn(
    { 'a.py': lines(...remove('one', CHECK), 'x = 1') },
    { 'a.py': lines(...remove('one'), 'x = 1', 'check_permission(user, None)') },
  );
  expect(changed.some(each => each.endsWith('moved'))).toBe(false);
  const short = await movesIn(
    { 'a.py': lines('def one(n):', '    return True', '', 'def two(n):', '    pass') },
    { 'a.py': lines('def one(n):', '    pass', '', 'def two(n):', '    return True') },
  );
  expect(short.some(each => each.endsWith('moved'))).toBe(false);
});

const SHOWN = [
  '    if text is None:',
  '        return EMPTY_TEXT',
  '    else:',
  '        return text.strip().lower()',
];

test('the lines of a moved function count as moved, even if new code shares a unit with them', async () => {
  const before = lines('import re', '', 'def shown(text):', ...SHOWN, '', 'x = 1');
  const renamed = await movesIn(
    { 'a.py': before },
    { 'a.py': lines('import re', '', 'x = 1'), 'b.py': lines('def lower_text(text, n):', ...SHOWN) },
  );
  expect(renamed).toEqual(['a.py:3 moved 4-7', 'b.py:1 moved 2-5']);
  const inClass = await movesIn(
    {
      'a.mjs': lines(
        'const kinds = [',
        "  'a first kind of thing',",
        "  'a second kind of thing',",
        '];',
        'f();',
      ),
    },
    {
      'a.mjs': lines('f();'),
      'b.mjs': lines(
        'run(',
        "  'a first kind of thing',",
        "  'a second kind of thing',",
        '  added(1),',
        ');',
      ),
    },
  );
  expect(inClass).toEqual(['a.mjs:1 moved 2-3', 'b.mjs:1 moved 2-3']);
});

test('a line that also occurs in new code counts as moved where a line next to it moved with it', async () => {
  const added = [
    '',
    'def size(text):',
    '    if text:',
    '        return 1',
    '    else:',
    '        return len(text)',
  ];
  const units = await movesIn(
    { 'a.py': lines('def shown(text):', ...SHOWN, '', 'x = 1') },
    { 'a.py': lines('x = 1'), 'b.py': lines('def shown(text):', ...SHOWN, ...added) },
  );
  expect(units).toEqual(['a.py:1 moved', 'b.py:1 moved', 'b.py:7']);
});

test('a check that moved below the action that it guards stays undefended', {
  timeout: LIMIT_MS,
}, async () => {
  const title = (...body: string[]) =>
    lines('export function title(user, text) {', ...body.map(each => `  ${each}`), '  return text;', '}');
  const check = "if (user.isBanned) throw new Error('may not write');";
  const { exam } = await examined({
    name: 'a moved check',
    before: { 'src/title.js': title(check, 'user.written = text;') },
    after: { 'src/title.js': title('user.written = text;', check) },
    command: NODE,
    tests: {
      'a.test.mjs': lines(
        "import assert from 'node:assert';",
        "import test from 'node:test';",
        "import { title } from './src/title.js';",
        "test('AC-1: gives the text', () => assert.equal(title({}, 'a'), 'a'));",
      ),
    },
    expected: [],
  });
  expect(exam.units.length).toBeGreaterThan(0);
  expect(exam.units.every(({ status, moved }) => status === 'untested' && moved)).toBe(true);
});

test('faults planted in moved lines are not reported, but show what a test checks', {
  timeout: LIMIT_MS,
}, async () => {
  const limit = (name: string) => [
    `export function ${name}(n, most) {`,
    '  if (n > most) return most;',
    '  return n * 1;',
    '}',
  ];
  const other = ['export function twice(n) {', '  return n * 2;', '}'];
  const { exam } = await examined({
    name: 'a moved function',
    before: { 'src/a.mjs': lines(...limit('limit'), 'export const kept = 1;') },
    after: {
      'src/a.mjs': lines('export const kept = 1;'),
      'src/b.mjs': lines(...limit('limit'), '', ...other),
    },
    command: NODE,
    tests: {
      'a.test.mjs': lines(
        "import assert from 'node:assert';",
        "import test from 'node:test';",
        "import { limit } from './src/b.mjs';",
        "test('AC-1: limits', () => assert.equal(limit(3, 2), 2));",
      ),
    },
    expected: [],
  });
  expect(exam.mutants.map(({ file, line }) => `${file}:${line}`)).toEqual(['src/b.mjs:7']);
  expect(exam.kills.map(({ failure, by }) => [failure, by.join()])).toContainEqual([
    'assert',
    expect.stringMatching(/^k\d+$/),
  ]);
});
