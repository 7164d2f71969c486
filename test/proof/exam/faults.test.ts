import { describe, expect, test } from 'vitest';
import type { ChangedFile } from '../../../src/proof/exam/changed-code.ts';
import { functionsIn } from '../../../src/proof/exam/faults/empty-declarations.ts';
import type { FaultEdit } from '../../../src/proof/exam/faults/fault-edit.ts';
import { faultAt, faultyLines, sampledLines } from '../../../src/proof/exam/faults/find-faults.ts';
import { languageOfFile } from '../../../src/proof/exam/syntax/languages.ts';
import { type Edit, edited } from '../../../src/proof/exam/syntax/text-edits.ts';
import { linesOf } from '../../../src/proof/exam/syntax/text-lines.ts';
import { shortened } from './shortened.ts';

const fileOf = (path: string, head: string): ChangedFile => ({
  path,
  basePath: null,
  base: null,
  head,
  language: languageOfFile(path)!,
  atoms: [],
});

/** For each line with a fault, the line itself with its first fault. */
function faults(path: string, head: string): string[] {
  const file = fileOf(path, head);
  return sampledLines(file, () => true)
    .flatMap(at => faultAt(file, at) ?? [])
    .map(({ line, edit }) => shortened(linesOf(edited(head, [asSeen(edit)]))[line]!.trim(), path));
}

/** Without the code that keeps the type of a value. */
const asSeen = ({ replaced, shown = '', ...edit }: FaultEdit): Edit =>
  replaced ? { ...replaced, text: shown.replaceAll('`', '') } : edit;

describe('the faults for a line', () => {
  test.each([
    ['if (a) f();', ['if ((a) || true) f();']],
    ['if (a) {\n  return f();\n}', ['if ((a) || true) {', 'return other(f());']],
    ['if (a) {\n  f();\n  return;\n}', ['if ((a) && false) {', ';']],
    ['for (;;) if (a) break;', ['for (;;) if ((a) && false) break;']],
    ['if (a) return null;\nelse f();', ['if ((a) && false) return null;', 'else ;']],
    ['while (a) f();', ['while ((a) && false) f();']],
    ['const x = a ? 1 : b;', ['const x = (a) && false ? 1 : b;']],
    ['\nconst x = a ? c : b;', ['const x = (a) || true ? c : b;']],
    ['function f() { return g(1, x); }', ['function f() { return other(g(1, x)); }']],
    ['const f = x => x.name;', ['const f = x => other(x.name);']],
    ['const ok = a < b;', ['const ok = a <= b;']],
    ['const ok = a === b;', ['const ok = a !== b;']],
    ['const n = a + b;', ['const n = a - b;']],
    ['const n = 60;', ['const n = 61;']],
    ["const names = { a: 'b' };", ["const names = other({ a: 'b' });"]],
    ['const yes = true;', ['const yes = false;']],
    ['const pattern = /a/;', ['const pattern = other(/a/);']],
    ['const port = env.PORT ?? 1;', ['const port = other(env.PORT ?? 1);']],
    ['const no = !yes;', ['const no = other(!yes);']],
    ['const mask = 0xff;', ['const mask = other(0xff);']],
    ['store.delete(key);', [';']],
    ['this.key = key;', ['this.key = other(key);']],
    ['key = this.key;', [';']],
    ['store.set(\n  key,\n  1,\n);', [';', 'other(key),', '2,']],
    ['await save(\n  `a`,\n);', [';', 'other(`a`),']],
    ['run(\n  a => {},\n);', [';']],
    ["if (a) throw new TypeError('x' + 1);", ["if ((a) && false) throw new TypeError('x' + 1);"]],
    ['if (a) process.exit(1);', ['if ((a) && false) process.exit(1);']],
    ["Object.assign(a, { b: 'c' });", []],
    ['Object.assign(a, b);', ['Object.assign(a, other(b));']],
    ['Object.assign(a, { ...b });', ['Object.assign(a, other({ ...b }));']],
    ['this.a = { ...b, c };', ['this.a = other({ ...b, c });']],
    ["Object.defineProperty(a, 'b', { value: 1 });", ["Object.defineProperty(a, 'b', { value: 2 });"]],
    ["import a from 'a';", []],
    ["console.log('x', 1 + 2);", []],
    ["'use strict';", []],
    ['const text = `a` + b.c;', ['const text = `a` - b.c;']],
    ['function f() { return null; }', []],
    [
      "export { a, b as c } from './a.mjs';",
      [
        "export {  b as c } from './a.mjs';; import { a as original_a } from './a.mjs'; const other_a = other(original_a); export { other_a as a };",
      ],
    ],
    [
      'export { a as default }',
      ['export { }; const other_default = other(a); export { other_default as default };'],
    ],
    ['export default a;', ['export default other(a);']],
    ['export default function a() {}', []],
    ["exports.a = require('./a');", ["exports.a = other(require('./a'));"]],
    ["exports.a = 'b';", ["exports.a = other('b');"]],
    [
      'module.exports = {\n  a,\n  b: c,\n  ...d,\n  e() {},\n};',
      ['a: other(a),', 'b: other(c),', '...other(d),'],
    ],
  ])('in JavaScript: %s', (code, expected) => {
    expect(faults('a.js', code)).toEqual(expected);
  });

  test.each([
    ['type A = 1 | 2;', []],
    ["export type { A } from './a';", []],
    ['interface A { x: true }', []],
    ["enum A {\n  B = 'c',\n  D = 1,\n}", ["B = 'd',", 'D = 2,']],
    ["const names = ['a'] as const;", ["const names = other(['a'] as const);"]],
    ['const f = (a: number): boolean => a > 3;', ['const f = (a: number): boolean => other(a > 3);']],
    ['@sealed\nclass A {}', ['']],
    ['class A {\n  @column({ nullable: true })\n  b: string;\n}', ['@column({ nullable: false })']],
  ])('in TypeScript: %s', (code, expected) => {
    expect(faults('a.ts', code)).toEqual(expected);
  });

  test.each([
    ['if a and b:\n    pass', ['if (a and b) or True:']],
    ['if a:\n    b()\nelif c:\n    raise E', ['if (a) or True:', 'pass', 'elif (c) and False:', 'pass']],
    ['\nx = a if b else c', ['x = a if (b) and False else c']],
    ['def f(x):\n    return g(x)', ['return other(g(x))']],
    ['def f(x):\n    raise ValueError("a" + 1)', ['pass']],
    ['x.append(1)', ['pass']],
    ["setattr(x, 'a', 'b')", ["setattr(x, 'a', other('b'))"]],
    ['if a:\n    sys.exit(1)', ['if (a) and False:', 'sys.exit(2)']],
    ['def f():\n    yield x', ['yield other(x)']],
    ['def f():\n    yield from g()', ['yield from other(g())']],
    ['def f():\n    yield', []],
    ['with a, b():\n    c.d = e', ['if True:', 'c.d = other(e)']],
    ['async with a: pass', ['if True: pass']],
    ['with a as b: pass', []],
    ['warnings.warn(a)', ['pass']],
    ['ok = True', ['ok = False']],
    ['ok: bool = check()', ['ok: bool = other(check())']],
    ['one, two = pair()', ['one, two = other(pair())']],
    ['ok.now = True', ['ok.now = False']],
    ['def f(x: int = 3): pass', ['def f(x: int = 4): pass']],
    ['"""A text."""', []],
    ['import a', []],
    ['from a import b\nb()', ['pass']],
    ['from .a import b, c as d', ['from .a import b, c as d; b = other(b)']],
    ['from a import (\n    b,\n)', ['b,']],
    ['logger.info("x %s", 1)', []],
    ['print("a")\nn = 1', ['n = 2']],
    ['__all__ = ["a", "b"]\nn = 1', ['n = 2']],
    ['__all__ += ["a"]', []],
    ['@total_ordering\nclass A: pass', ['']],
    ['\n@dataclass(frozen=True)\nclass A: pass', ['@dataclass(frozen=False)']],
    ['\n@lru_cache(maxsize=2)\ndef f(): pass', ['@lru_cache(maxsize=3)']],
    ['class A:\n    @abc.abstractmethod\n    def f(self): pass', ['']],
    ['class A:\n    @functools.cached_property\n    def f(self): pass', ['@property']],
    ['class A:\n    @property\n    def f(self): pass\n    @f.setter\n    def f(self, n): pass', []],
  ])('in Python: %s', (code, expected) => {
    expect(faults('a.py', code)).toEqual(expected);
  });

  const go = (body: string) => `package a\n\nfunc F(a int) (int, error) {\n${body}\n}\n`;
  test.each([
    ['if a > 3 && b {\n}', ['if a > 3 || b {']],
    ['if x := f(); x > 3 {\n}', ['if x := f(); (x > 3) || true {']],
    ['if a > 3 {\n\tpanic(b)\n}', ['if (a > 3) && false {', 'if false { panic(b) }']],
    ['return a, g(x)', ['return other(a, g(x))']],
    ['return a, nil', ['return other(a, nil)']],
    ['var names = map[string]string{"a": "b"}', ['var names = map[string]string{"a": "c"}']],
    ['var all = map[string]func() int{"a": b}', ['var all = map[string]func() int{"a": other(b)}']],
    ['var all = map[string]T{"a": b}', ['var all = map[string]T{"a": other(b)}']],
    ['var all = Table{"a": b}', ['var all = Table{"a": other(b)}']],
    ['if a > 3 {\n\tos.Exit(1)\n}', ['if (a > 3) && false {', 'if false { os.Exit(1) }']],
    ['g(a)', ['if false { g(a) }']],
    ['a += b', ['if false { a += b }']],
    ['return b, fmt.Errorf("%d", 1)', ['return other(b, fmt.Errorf("%d", 1))']],
  ])('in Go: %s', (body, expected) => {
    expect(faults('a.go', go(body))).toEqual(expected);
  });

  test.each([
    [
      '(int, error)',
      'return f()',
      'func(v0 int, v1 error) (int, error) { dureChange(&v0, &v1); return v0, v1 }(f())',
    ],
    [
      '(n, m pkg.T)',
      'return n, 2',
      'func(v0 pkg.T, v1 pkg.T) (pkg.T, pkg.T) { dureChange(&v0, &v1); return v0, v1 }(n, 2)',
    ],
    ['<-chan T', 'return c', 'func(v0 <-chan T) (<-chan T) { dureChange(&v0); return v0 }(c)'],
    ['(n int)', 'return', null],
  ])('in Go, the result types are kept: %s: %s', (results, statement, expected) => {
    const code = `package a\n\nfunc F(a int) ${results} {\n\tif a > b {\n\t\t${statement}\n\t}\n\tpanic(a)\n}\n`;
    const found = sampledLines(fileOf('a.go', code), line => line === 4).flatMap(({ edits }) => edits);
    expect(found[0]?.text ?? null).toBe(expected);
  });

  test('the message of an error is changed only if nothing else makes a test fail', () => {
    const file = fileOf('a.py', 'def f(x):\n    raise ValueError(f"a {x}")');
    expect(sampledLines(file, () => true).map(({ edits }) => edits.length)).toEqual([1]);
    expect(
      faultyLines(file, () => true).flatMap(({ edits }) =>
        edits.map(edit =>
          shortened(edited(file.head!, [edit]), 'a.py')
            .split('\n')[1]!
            .trim(),
        ),
      ),
    ).toEqual(['raise ValueError(other(f"a {x}"))', 'pass']);
  });

  test('an argument of a decorator is changed only if nothing else makes a test fail', () => {
    const file = fileOf('a.py', '@retry("a", on=b)\ndef f(): pass');
    const texts = faultyLines(file, () => true).flatMap(({ edits }) =>
      edits.map(edit => shortened(edited(file.head!, [edit]), 'a.py').split('\n')[0]!),
    );
    expect(texts).toEqual(['', '@retry(other("a"), on=b)', '@retry("a", on=other(b))']);
  });

  test.each(['x =', 'return'])(
    'after `%s`, an argument of a call is changed only if nothing else makes a test fail',
    start => {
      const file = fileOf('a.py', `${start} post("a", b=c)`);
      const texts = faultyLines(file, () => true).flatMap(({ edits }) =>
        edits.map(edit => shortened(edited(file.head!, [edit]), 'a.py')),
      );
      expect(sampledLines(file, () => true).map(({ edits }) => edits.length)).toEqual([1]);
      expect(texts).toEqual([
        `${start} other(post("a", b=c))`,
        `${start} post(other("a"), b=c)`,
        `${start} post("a", b=other(c))`,
      ]);
    },
  );

  test.each([
    [
      'class A(B):\n    def f(self, x: int, y=1): return x',
      'def f(self, x: int, y=1): return super().f(x, y); return x',
    ],
    ['class A(B):\n    def f(self):\n        """F."""\n        g()', 'return super().f()'],
    ['class A(B):\n    def f(self, *x): return x', null],
    ['class A(B):\n    def __init__(self): self.a = b', null],
    ['class A(B):\n    def f(self): yield 1', null],
    ['class A:\n    def f(self): return x', null],
    ['def f(a):\n    return a', null],
  ])(
    'a method is replaced by the inherited one only if nothing else makes a test fail: %s',
    (code, expected) => {
      const file = fileOf('a.py', code);
      const lines = faultyLines(file, () => true).flatMap(({ line, edits }) =>
        edits.map(edit => edited(code, [edit]).split('\n')[line]!.trim()),
      );
      expect(lines.find(line => line.includes('super()')) ?? null).toBe(expected);
      expect(
        sampledLines(file, () => true).some(({ edits }) => edits.some(({ text }) => text.includes('super'))),
      ).toBe(false);
    },
  );

  test.each([
    ['a.js', 'function f() {\n  return null;\n}', 'return other(null);'],
    ['a.py', "def f():\n    return ''", "return other('')"],
    ['a.go', 'package a\nfunc F() string {\n\treturn ""\n}', 'return other("")'],
  ])('in %s, a returned null or empty string is changed only if nothing else makes a test fail', (...of) => {
    const [path, code, expected] = of;
    const file = fileOf(path, code);
    const edits = faultyLines(file, () => true).flatMap(line => line.edits);
    const changed = edits.map(edit => shortened(edited(code, [edit]), path));
    expect(changed.map(text => /return .*/.exec(text)![0])).toEqual([expected]);
    expect(sampledLines(file, () => true)).toEqual([]);
  });

  test('an item of a list is changed only if nothing else makes a test fail', () => {
    const texts = ['a.py', 'a.js'].map(path => {
      const file = fileOf(path, 'x = [a, b()]');
      return faultyLines(file, () => true).flatMap(({ edits }) =>
        edits.map(edit => shortened(edited(file.head!, [edit]), path)),
      );
    });
    expect(texts[0]).toEqual(['x = other([a, b()])', 'x = [a, other(b())]']);
    expect(texts[1]).toContain('x = [a, other(b())]');
  });

  test('a long table gets two faults: one for the whole table and one for a row', () => {
    const rows = Array.from({ length: 12 }, (_, n) => `  [${n}, ${n + 1}],`);
    expect(faults('a.js', `const table = [\n${rows.join('\n')}\n];`)).toEqual(['const table = [', '[1, 1],']);
  });
});

const emptied = (path: string, code: string): string[] => {
  const tree = languageOfFile(path)!.grammar!.parser.parse(code);
  return functionsIn(tree, code).map(each => (each.emptied ? edited(code, [each.emptied]) : 'empty'));
};

describe('a function is emptied', () => {
  test.each([
    ['a.js', 'function f() { g(); }', 'function f() { return; g(); }'],
    ['a.js', 'export const f = async x => x + 1;', 'export const f = async x => undefined;'],
    ['a.ts', 'class A { m(): void { g(); } }', 'class A { m(): void { return; g(); } }'],
    [
      'a.py',
      'def f(x):\n    """A text."""\n    return x',
      'def f(x):\n    return\n    """A text."""\n    return x',
    ],
    ['a.py', '@a\ndef f(x): return x', '@a\ndef f(x): return; return x'],
    ['a.go', 'func F() { g() }', 'func F() { if true { return }; g() }'],
    ['a.go', 'func F() *T { return g() }', 'func F() *T { if true { return *new(*T) }; return g() }'],
    [
      'a.go',
      'func (s *S) M(a int) (int, error) { return g() }',
      'func (s *S) M(a int) (int, error) { if true { return *new(int), *new(error) }; return g() }',
    ],
    [
      'a.go',
      'func F() (n int, err error) { n = 1; return }',
      'func F() (n int, err error) { if true { return }; n = 1; return }',
    ],
    ['a.go', 'func F() int { return 0 }', 'empty'],
    ['a.go', 'func F() (a *T, err error) {\n\t// Nothing.\n\treturn nil, nil\n}', 'empty'],
    ['a.go', 'func F() T { return T{} }', 'empty'],
    ['a.go', 'func F() []T { return []T{} }', 'func F() []T { if true { return *new([]T) }; return []T{} }'],
    ['a.go', 'func F() int { return 1 }', 'func F() int { if true { return *new(int) }; return 1 }'],
    [
      'a.go',
      'func F() int { g(); return 0 }',
      'func F() int { if true { return *new(int) }; g(); return 0 }',
    ],
  ])('%s: %s', (path, code, expected) => {
    expect(emptied(path, code)).toEqual([expected]);
  });

  test('unless it is a callback or has no statements', () => {
    expect(emptied('a.js', 'each(x => g(x)); list.map(function () { g(); });')).toEqual([]);
    expect(emptied('a.js', 'function f() { /* nothing */ }')).toEqual(['empty']);
    expect(emptied('a.py', 'class A:\n    def f(self):\n        ...')).toEqual(['empty']);
  });
});

describe('in JavaScript, a fault keeps the type of a value', () => {
  /** The results of a function with each of its faults. */
  const results = (head: string, ...args: unknown[]): unknown[] =>
    faultyLines(fileOf('a.js', `const f = (a, b) => {\n${head}\n};\n`), line => line === 1)
      .flatMap(({ edits }) => edits)
      .filter(({ replaced }) => replaced !== undefined)
      .map(edit => {
        const code = edited(`const f = (a, b) => {\n${head}\n};\n`, [edit]);
        return new Function('args', `${code}return f(...args);`)(args);
      });

  test.each<[string, unknown[], unknown]>([
    ['return a - b', [5, 2], 7],
    ['return a + b', ['x', 'y'], 'yz'],
    ['return a - b', [new Date(3), new Date(1)], 3],
    ["return a || 'b'", [undefined], 'c'],
    ["return a || 'b'", ['a'], 'b'],
    ['return a || b', [null, null], null],
    ['return a && a.length', ['xy'], 3],
    ['return a && b', ['', {}], {}],
    ['return a && b', [true, false], true],
    ['return (a || b).length', [undefined, 'abc'], 3],
    ['return a[0]', [['x']], 'y'],
    ['return a[0]', [['x', 'y']], 'y'],
    ['const x = a.get("k"); return x', [new Map([['k', { n: 1 }]])], { n: 2 }],
    ['const x = a.get("k"); return x', [new Map()], undefined],
    ['const x = a + // the first\n b; return x', ['x', 'y'], 'yz'],
  ])('in the code `%s` with the arguments %j', (code, args, expected) => {
    expect(results(code, ...args)).toContainEqual(expected);
    expect(results(code, ...args)).toHaveLength(1);
  });

  test('a fault in an awaited call keeps the type of what is awaited', async () => {
    const code = 'return (async () => { const x = await a("k"); return x; })()';
    const find = async (key: string) => (key === 'k' ? [1] : undefined);
    expect(await Promise.all(results(code, find))).toEqual([[2]]);
  });

  test.each([
    'if (a || b) c();',
    'while (!(a && b)) c();',
    'a && b();',
    'a[0] = b[0]();',
    'a[0]++;',
    'c(a?.[0]);',
  ])(
    'a fault need not keep the type where the type does not matter, or where an item is not read: %s',
    code => {
      const edits = faultyLines(fileOf('a.js', code), () => true).flatMap(each => each.edits);
      expect(edits.filter(({ replaced }) => replaced !== undefined)).toEqual([]);
    },
  );
});
