import { execFileSync } from 'node:child_process';
import { chmod, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ChangedFile, readChange } from '../../../src/proof/exam/changed-code.ts';
import { languageOfFile } from '../../../src/proof/exam/syntax/languages.ts';
import { syntaxErrors } from '../../../src/proof/exam/syntax/parse-code.ts';
import { isCodeBroken, unbrokenFiles } from '../../../src/proof/exam/tests-independent-of-unbroken-files.ts';
import {
  ghostBase,
  ghostBaseWithParameters,
  placebo,
} from '../../../src/proof/exam/variants/ghost-and-placebo.ts';
import { sample } from './sample-repository.ts';

/** The tests of append-unreachable-code.ts show what follows. */
const withoutCopy = (ghost: string | null | undefined) =>
  ghost?.replace(/\n(?:void \(async |if False:\n)[\s\S]*/, '');

const texts = (edits: ReadonlyMap<string, Buffer | null>) =>
  Object.fromEntries([...edits].map(([path, bytes]) => [path, bytes?.toString() ?? null]));

async function controls(path: string, before: string | null, after: string) {
  const made = await sample(
    { 'README.md': 'x', ...(before !== null && { [path]: before }) },
    { [path]: after },
  );
  const change = await made.change();
  const withParameters = ghostBaseWithParameters(change);
  return {
    ghost: withoutCopy(texts(ghostBase(change).edits)[path]),
    withParameters: withParameters && withoutCopy(texts(withParameters.edits)[path]),
    placebo: texts(placebo(change).edits)[path],
  };
}

const lines = (...of: string[]) => of.map(line => `${line}\n`).join('');

describe('the ghost contains the added lines as comments and as a string', () => {
  test('in JavaScript, at the place of the change', async () => {
    const { ghost } = await controls(
      'src/a.js',
      lines('function f(x) {', '  return x;', '}'),
      lines('function f(x) {', '  if (x > 3) return null;', '  return x + 1;', '}'),
    );
    expect(ghost).toBe(
      lines(
        'function f(x) {',
        "  /*! if (x > 3) return null; return x + 1; */ 'if (x > 3) return null; return x + 1;';",
        ...['  // if (x > 3) return null;', '  // return x + 1;', '  return x;', '}'],
      ),
    );
  });

  test.each([
    [
      'in a class, at its end',
      ['class A {', '}'],
      'a() { return "b"; }',
      `/*! a() { return "b"; } */ 'a() { return "b"; }';`,
    ],
    ['after a condition, at its end', ['if (a)', '  b();'], `c('d');`, `/*! c('d'); */ "c('d');";`],
    ['after a directive, with both quotes', ['"use strict";'], `a = ['b', /c\\d/, "e"];`, null],
  ])('in JavaScript, with the string where it has no effect: %s', async (_where, base, added, string) => {
    const { ghost } = await controls('a.js', lines(...base), lines(base[0]!, added, ...base.slice(1)));
    const comment = `// ${added}`;
    expect(ghost).toBe(
      string === null
        ? lines(base[0]!, `/*! ${added} */ ${JSON.stringify(added)};`, comment)
        : lines(base[0]!, comment, ...base.slice(1), '', string),
    );
  });

  test('but only as comments in a type declaration file', async () => {
    const { ghost } = await controls('a.d.ts', 'type A = 1;\n', 'type A = 1;\ntype B = 2;\n');
    expect(ghost).toBe('type A = 1;\n// type B = 2;\n');
  });

  test('in Python, with the string at the end of the file if its indentation would be wrong at the place of the change', async () => {
    const { ghost } = await controls(
      'a.py',
      lines('import a', '', 'class A:', '    pass'),
      lines('import a', 'if b:', '    import c', '', '    d = 1', 'class A:', '    pass'),
    );
    expect(ghost).toMatch(/^import a$[\s\S]*^class A:\n {4}pass\n\n'/m);
    expect(syntaxErrors(ghost!, languageOfFile('a.py')!)).toBe(0);
  });

  test('in Python, even if a line continues after a backslash', async () => {
    const { ghost } = await controls(
      'a.py',
      lines('def f(x):', '    y = x + \\', '        1', '    return y'),
      lines('def f(x):', '    y = x + \\', '        2', '    if y:', '        y = 0', '    return y'),
    );
    expect(ghost).toBe(
      lines(
        'def f(x):',
        '    y = x + \\',
        '        1',
        '    return y',
        '',
        '        # 2',
        '    # if y:',
        '        # y = 0',
        '',
        "'2 if y: y = 0'",
      ),
    );
  });

  test('in Python, with the string on a line of its own', async () => {
    const { ghost } = await controls(
      'a.py',
      lines('def f(x):', '    return x'),
      lines('def f(x):', '    # no more', '    if x > 3:', "        return 'a'", '    return x'),
    );
    expect(ghost).toBe(
      lines(
        ...['def f(x):', `    "if x > 3: return 'a'"`, '    # # no more', '    # if x > 3:'],
        ...["        # return 'a'", '    return x'],
      ),
    );
  });

  test('in Go, with the string at the end of the file', async () => {
    const { ghost } = await controls(
      'a.go',
      lines('package a', 'func F() int {', '\treturn 1', '}'),
      lines('package a', 'func F() int {', '\tif "a" != b {', '\t\treturn 2', '\t}', '\treturn 1', '}'),
    );
    expect(ghost).toBe(
      lines(
        ...[
          'package a',
          'func F() int {',
          '\t// if "a" != b {',
          '\t\t// return 2',
          '\t// }',
          '\treturn 1',
          '}',
        ],
        ...['', 'var _ = `if "a" != b { return 2 }`'],
      ),
    );
  });

  test('at the end of the file for lines in a template literal, where no comment is possible', async () => {
    const { ghost } = await controls(
      'a.ts',
      lines('export const usage = `', 'one', '`;'),
      lines('export const usage = `', 'one', 'two', '`;'),
    );
    expect(ghost).toBe(lines('export const usage = `', 'one', '`;', '', '// two', '', "/*! two */ 'two';"));
  });

  test('in a new file, with nothing else except, in Go, the package clause', async () => {
    const { ghost } = await controls('a.go', null, lines('// a', 'package a', '', 'func F() {}'));
    expect(ghost).toBe(
      lines('// // a', 'package a', '', '// func F() {}', 'var _ = "package a func F() {}"'),
    );
    expect((await controls('a.js', null, lines('f();', '', 'g();'))).ghost).toBe(
      lines('// f();', '', '// g();', "/*! f(); g(); */ 'f(); g();';"),
    );
  });

  test('in a file with CRLF line endings', async () => {
    const { ghost } = await controls('a.js', 'f(1);\r\n', 'f(2);\r\n');
    expect(ghost).toBe("/*! f(2); */ 'f(2);';\n// f(2);\r\nf(1);\r\n");
  });

  test('in a file without a trailing line break', async () => {
    expect((await controls('a.js', 'f(1);', 'f(1);\ng();')).ghost).toBe(
      "/*! f(1); g(); */ 'f(1); g();';\n// f(1);\n// g();\nf(1);",
    );
  });
});

test('the ghost with parameters has the parameters that the change adds', async () => {
  const before = lines('def f(x):', '    return x');
  const { withParameters } = await controls('a.py', before, lines('def f(x, y=1):', '    return x + y'));
  expect(withParameters).toBe(
    lines(
      ...[`'def f(x, y=1): return x + y'`, '# def f(x, y=1):', '    # return x + y'],
      ...['def f(x, y=1):', '    return x'],
    ),
  );
  const other = await controls('a.py', before, lines('def f(x):', '    return x + 1'));
  expect(other.withParameters).toBe(null);
});

describe('the placebo adds comments, spaces and code without effect', () => {
  test.each([
    ['a.ts', 'a;', 'c;', '/* Nothing changes here. */ c; // Nothing changes here.', '// b', ';'],
    ['a.ts', 'a', 'c', 'c // Nothing changes here.', '// b', ';'],
    ['a.py', 'a', 'c', 'c # Nothing changes here.', '# b', 'None'],
    ['a.go', 'a', 'c', '/* Nothing changes here. */ c // Nothing changes here.', '// b', 'var _ = 0'],
    ['a.go', '//go:embed a', 'c', 'c // Nothing changes here.', '// b', 'var _ = 0'],
  ])('to %s, without changing any line number: %s %s', async (path, first, now, shown, removed, idle) => {
    const { placebo } = await controls(path, lines(first, 'b'), lines(first, now));
    expect(placebo).toBe(lines(first, shown, '', removed, idle));
  });

  test('to the indentation in Python, but not inside string literals', async () => {
    const code = lines('def f():', '    """A', '    text."""', '    if a:', '        return 1', '');
    const { placebo } = await controls('a.py', code.replace('1', '2'), code);
    expect(placebo).toBe(
      lines(
        ...['def f():', '        """A', '    text."""', '        if a:'],
        ...['                return  1 # Nothing changes here.', '', '', '        # return 2', 'None'],
      ),
    );
  });

  test.each([
    ['a.ts', 'const max = 20; // a b', 'const  max  =  20;  // a b\n'],
    ['a.ts', "  if (a && b) return 'c d' + `e f`;", "if  (a  &&  b)  return  'c d'  +  `e f`;"],
    ['a.tsx', 'const x = <p id="a b">c d</p>;', 'const  x  =  <p id="a b">c d</p>;'],
    ['a.py', '    return f(a, "b c") or not d  # e f', 'return  f(a,  "b c")  or  not  d   # e f\n'],
    ['a.go', 'func F(a int) string { return "b c" }', 'func  F(a  int)  string  {  return  "b c"  }'],
  ])('between the words of %s: %s', async (path, code, wider) => {
    const { placebo } = await controls(path, lines('a', 'b'), lines('a', code));
    expect(placebo).toContain(wider);
  });

  test('but not inside a template literal', async () => {
    const { placebo } = await controls('a.ts', lines('x(`', 'b', '`)'), lines('x(`', 'c', '`)'));
    expect(placebo).toBe(lines('x(`', 'c', '`)', '', '// b', ';'));
    const types = await controls('a.d.ts', 'type A = 1;\n', 'type A = 2;\n');
    expect(types.placebo).toMatch(/\n\/\/ Nothing changes here\.\n$/);
  });
});

test('in a language that Dure cannot parse, comments are added at the end, because a line may be in a here-document', async () => {
  const made = await controls(
    'run.sh',
    lines('cat <<EOF', 'usage: run', 'EOF'),
    lines('cat <<EOF', 'usage: run', '--all', 'EOF'),
  );
  expect(made).toMatchObject({
    ghost: lines('cat <<EOF', 'usage: run', 'EOF', '', '# --all'),
    placebo: lines('cat <<EOF', 'usage: run', '--all', 'EOF', '# Nothing changes here.'),
  });
  const { placebo } = await controls('a.php', '<p>a</p>\n<?php f(1); ?>\n', '<p>a</p>\n<?php f(2); ?>\n');
  expect(placebo).not.toContain('Nothing changes');
});

test('a file that became a link is listed among the files that are not code, and does not shift the lines of other files', async () => {
  const made = await sample({ 'a.js': 'f(1);\n', 'b.js': 'f(1);\n', 'c.js': 'x\n' }, { 'c.js': 'f(2);\n' });
  const folder = made.repository.workTree;
  await rm(join(folder, 'a.js'));
  await symlink('b.js', join(folder, 'a.js'));
  await chmod(join(folder, 'b.js'), 0o755);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', ...args], {
      cwd: folder,
    });
  git('add', '-A');
  git('commit', '-q', '-m', 'x');
  const change = await readChange(made.repository, made.base, git('rev-parse', 'HEAD').toString().trim());
  expect(change.others).toEqual(['a.js']);
  expect(change.code.map(({ path, atoms }) => [path, atoms.length])).toEqual([
    ['b.js', 0],
    ['c.js', 1],
  ]);
  expect(isCodeBroken(change, { complete: true })).toBe(false);
});

test('readChange reads the changed code, and lists the changed files that are not code', async () => {
  const made = await sample(
    {
      'src/kept.ts': 'export const a = 1;\n',
      'src/old.ts': lines(...Array.from({ length: 20 }, (_, n) => `f(${n});`)),
      'src/gone.py': 'x = 1\n',
    },
    {
      'src/old.ts': null,
      'src/new.ts': lines(...Array.from({ length: 20 }, (_, n) => `f(${n === 3 ? 'x' : n});`)),
      'src/gone.py': null,
      'src/bin.js': Buffer.from([0x61, 0, 0xff]),
      'src/a.min.js': 'a',
      'test/a.test.ts': 'a',
      'test.js': 'a',
      'src/a.test-d.ts': 'a',
      'notes.md': 'a',
      'package-lock.json': '{}',
    },
  );
  const { code, others } = await made.change();
  const short = ({ path, basePath, atoms, head }: ChangedFile) => [path, basePath, atoms, head === null];
  expect(code.map(short)).toEqual([
    ['src/gone.py', 'src/gone.py', [{ base: { from: 0, to: 1 }, head: { from: 0, to: 0 } }], true],
    ['src/new.ts', 'src/old.ts', [{ base: { from: 3, to: 4 }, head: { from: 3, to: 4 } }], false],
  ]);
  const tests = ['src/a.test-d.ts', 'test.js', 'test/a.test.ts'];
  expect(others.toSorted()).toEqual(
    ['notes.md', 'package-lock.json', 'src/a.min.js', 'src/bin.js', ...tests].toSorted(),
  );
});

test('the exam cannot break changed files that are neither code nor tests nor documentation', () => {
  const others = ['src/a.spec.ts', 'index.test-d.ts', 'test/a.js', 'test_a.py', 'notes.md'];
  expect(unbrokenFiles({ others: [...others, 'src/data.json', 'src/test.txt'] })).toEqual([
    'src/data.json',
    'src/test.txt',
  ]);
});
