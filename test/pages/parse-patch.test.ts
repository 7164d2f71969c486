import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unquoteGitPath } from '../../src/formats/text/unquote-git-path.ts';
import { diffItems, isGap, linesToShow, withLines } from '../../src/server/ui/diff/diff-rows.ts';
import { withoutWhitespace } from '../../src/server/ui/diff/ignore-whitespace.ts';
import { type PatchFile, parsePatch } from '../../src/server/ui/diff/parse-patch.ts';

const run = promisify(execFile);

describe('a git diff', () => {
  let dir: string;
  let files: PatchFile[];
  const of = (path: string) => files.find(file => file.path === path)!;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'dure-patch-'));
    const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
    const git = (...args: string[]) =>
      run('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd: dir, env });
    const write = (path: string, text: string | Uint8Array) => writeFile(join(dir, path), text);
    const numbers = (change: (line: number) => string) =>
      Array.from({ length: 40 }, (_, line) => change(line + 1)).join('\n') + '\n';
    await git('init', '-q');
    await mkdir(join(dir, 'src'));
    await write('src/numbers.txt', numbers(String));
    await write('gone.txt', 'one\ntwo\n');
    await write(
      'moved.txt',
      numbers(line => `a line ${line}`),
    );
    await write('--- dashes', '-- a comment of SQL\n');
    await git('add', '-A');
    await git('commit', '-qm', 'before');
    await write(
      'src/numbers.txt',
      numbers(line => (line === 3 ? 'three' : line === 38 ? '38\nand a half' : String(line))),
    );
    await rm(join(dir, 'gone.txt'));
    await rename(join(dir, 'moved.txt'), join(dir, 'src/kept.txt'));
    await write('검색 "x".txt', 'new');
    await write('picture.bin', new Uint8Array([0, 1, 2, 0]));
    await write('empty file.txt', '');
    await write('--- dashes', '++ a plus\n');
    await git('add', '-A');
    const { stdout } = await git('diff', '--cached', '-M', 'HEAD');
    files = parsePatch(stdout);
  });
  afterAll(() => rm(dir, { recursive: true, force: true, maxRetries: 20 }));

  it('can show unchanged lines that git left out, up to the end of the file', () => {
    const file = of('src/numbers.txt');
    const text = [...Array.from({ length: 37 }, (_, line) => (line === 2 ? 'three' : `${line + 1}`))];
    text.push('38', 'and a half', '39', '40');
    const gaps = (shown: PatchFile) =>
      diffItems(shown, 'unified').flatMap(item => (isGap(item) ? [item.gap] : []));
    const [middle, end] = gaps(file);
    expect(middle).toMatchObject({ from: 7, to: 35 });
    expect(end).toMatchObject({ from: 42, to: null });
    expect(linesToShow(end!, text.length)).toEqual([]);
    const whole = withLines(file, text, new Set(linesToShow(middle!, text.length)));
    expect(gaps(whole)).toEqual([]);
    const lines = whole.hunks.flatMap(hunk => hunk.lines);
    expect(lines.filter(line => line.kind !== 'deleted').map(line => line.text)).toEqual(text);
    expect(lines.find(line => line.newLine === 20)).toMatchObject({ kind: 'same', oldLine: 20, text: '20' });
    expect(whole.hunks).toHaveLength(1);
    expect(linesToShow({ from: 1, to: 500, header: '' }, 900)).toHaveLength(60);
  });

  it('distinguishes links and executable files from regular files', () => {
    const part = (head: string) =>
      parsePatch(`diff --git a/x b/x\n${head}\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n`)[0]!.kind;
    expect(part('new file mode 120000\nindex 0000000..3594e94')).toBe('link');
    expect(part('index 78981922613..61780798228 120000')).toBe('link');
    expect(part('index 78981922613..61780798228 100644')).toBeNull();
    expect(part('old mode 100644\nnew mode 100755')).toBe('executable');
    expect(part('old mode 100755\nnew mode 100644')).toBe('plain');
  });

  it('joins the two entries of a renamed file whose content is unchanged', () => {
    const entry = (path: string, kind: string, ids: string, sign: string) =>
      `diff --git a/${path} b/${path}\n${kind} file mode 100644\nindex ${ids}\n--- ${sign === '+' ? '/dev/null' : `a/${path}`}\n+++ ${sign === '+' ? `b/${path}` : '/dev/null'}\n@@ -${sign === '+' ? '0,0 +1' : '1 +0,0'} @@\n${sign}text\n`;
    const [a, b] = ['a'.repeat(40), '0'.repeat(40)];
    const joined = parsePatch(
      entry('before.txt', 'deleted', `${a}..${b}`, '-') + entry('after.txt', 'new', `${b}..${a}`, '+'),
    );
    expect(joined).toMatchObject([{ path: 'after.txt', from: 'before.txt', change: 'renamed', hunks: [] }]);
  });

  it('has unified or side-by-side rows, with gaps for omitted lines', () => {
    const shape = (layout: 'unified' | 'split') =>
      diffItems(of('src/numbers.txt'), layout).map(item =>
        isGap(item) ? `from ${item.gap.from}` : `${item.oldLine?.text ?? ''}|${item.newLine?.text ?? ''}`,
      );
    expect(shape('unified').slice(0, 8)).toEqual([
      '1|1',
      '2|2',
      '3|',
      '|three',
      '4|4',
      '5|5',
      '6|6',
      'from 7',
    ]);
    expect(shape('split').slice(0, 4)).toEqual(['1|1', '2|2', '3|three', '4|4']);
  });

  it('has no changed lines where only whitespace differs, if whitespace is ignored', () => {
    const [file] = parsePatch(
      'diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1,2 +1,3 @@\n-one\n-two\n+begin\n+  one\n+  two\n',
    );
    const [hunk] = withoutWhitespace(file!).hunks;
    expect(hunk!.lines.map(({ kind, oldLine, newLine, text }) => [kind, oldLine, newLine, text])).toEqual([
      ['added', null, 1, 'begin'],
      ['same', 1, 2, '  one'],
      ['same', 2, 3, '  two'],
    ]);
  });

  it('is parsed into files, whatever their names', () => {
    expect(files.map(file => file.path).sort()).toEqual(
      [
        '--- dashes',
        'empty file.txt',
        'gone.txt',
        'picture.bin',
        'src/kept.txt',
        'src/numbers.txt',
        '검색 "x".txt',
      ].sort(),
    );
  });

  it('has the old and new line number of every line', () => {
    const { hunks, added, deleted } = of('src/numbers.txt');
    expect({ hunks: hunks.length, added, deleted }).toEqual({ hunks: 2, added: 2, deleted: 1 });
    const lines = hunks.flatMap(hunk => hunk.lines);
    expect(lines.filter(line => line.kind !== 'same')).toEqual([
      { kind: 'deleted', oldLine: 3, newLine: null, text: '3' },
      { kind: 'added', oldLine: null, newLine: 3, text: 'three' },
      { kind: 'added', oldLine: null, newLine: 39, text: 'and a half' },
    ]);
    expect(lines.at(-1)).toEqual({ kind: 'same', oldLine: 40, newLine: 41, text: '40' });
  });

  it('says whether a file was added, deleted, changed or renamed', () => {
    expect(of('gone.txt').change).toBe('deleted');
    expect(of('검색 "x".txt').change).toBe('added');
    expect(of('src/kept.txt')).toMatchObject({ change: 'renamed', from: 'moved.txt', hunks: [] });
    expect(of('picture.bin')).toMatchObject({ binary: true, hunks: [] });
    expect(of('empty file.txt')).toMatchObject({ change: 'added', binary: false, hunks: [] });
  });

  it('does not mistake a content line for a header', () => {
    expect(
      of('--- dashes')
        .hunks.flatMap(hunk => hunk.lines)
        .map(line => line.text),
    ).toEqual(['-- a comment of SQL', '++ a plus']);
  });

  it('keeps an unquoted name unchanged', () => {
    expect(unquoteGitPath('a\\b')).toBe('a\\b');
    expect(unquoteGitPath('"tab\\there \\352\\262\\200"')).toBe('tab\there 검');
  });
});
