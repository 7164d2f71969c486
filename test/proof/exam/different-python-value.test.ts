import { execFileSync, spawnSync } from 'node:child_process';
<<<<<<< HEAD:test/proof/exam/different-js-or-python-value.test.ts
import { types } from 'node:util';
import { describe, expect, test } from 'vitest';
import {
  JAVASCRIPT_VALUES,
  PYTHON_VALUES,
} from '../../../src/proof/exam/faults/different-js-or-python-value.ts';

const evaluated = (code: string): unknown => new Function(`return ${code};`)();

describe('a different value of the same type in JavaScript', () => {
  test('the code has no operators that parsers older than ES2020 reject', () => {
    expect(JAVASCRIPT_VALUES.different('a')).not.toMatch(/\?\.|\?\?/);
  });

  test.each([
    ['"a x"', 'b y'],
    ['"Zz 9.10"', 'Aa 1.20'],
    ['"00"', '11'],
    ['"--"', '----'],
    ['""', 'x'],
    ['5', 6],
    ['-1', -2],
    ['0.5', 0.25],
    ['NaN', 0],
    ['1e300', 5e299],
    ['2n', 3n],
    ['-1n', -2n],
    ['true', false],
    ['null', {}],
    ['[1, ["a"]]', [2, ['b']]],
    ['[]', [undefined]],
    ['({ a: 1, b: { c: "d" } })', { a: 2, b: { c: 'e' } }],
    ['{}', { x: 1 }],
    ['new Date(0)', new Date(86_400_000)],
    ['new Map()', new Map([[{}, 1]])],
    ['new Set()', new Set([{}])],
    ['new Set(["a"])', new Set(['b', 'c'])],
    ['new Set([true, false])', new Set([{}])],
    ['new Map([["a", 1]])', new Map([['a', 2]])],
    ['new Uint8Array([1, 255])', new Uint8Array([2, 0])],
    ['new Uint8Array()', new Uint8Array([1])],
    ['Buffer.from("a")', Buffer.from('b')],
    ['new DataView(new ArrayBuffer(1))', new DataView(new ArrayBuffer(2))],
    ['(() => { const a = { n: 1 }; a.self = a; return a; })()', { n: 2, self: {} }],
  ])('%s', (expression, expected) => {
    expect(evaluated(JAVASCRIPT_VALUES.different(expression))).toEqual(expected);
  });

  test('keeps the prototype of an object, and changes what a promise resolves to', async () => {
    const changed = evaluated(
      JAVASCRIPT_VALUES.different('new (class A { n = 1; next() { return this.n; } })()'),
    );
    expect((changed as { next(): number }).next()).toBe(2);
    expect(await evaluated(JAVASCRIPT_VALUES.different('Promise.resolve(3)'))).toBe(4);
  });

  test('a function keeps its members, and a class stays a class', () => {
    const other = (code: string) => evaluated(JAVASCRIPT_VALUES.different(code));
    const changed = other('Object.assign(() => 3, { n: 1 })') as { (): unknown; n: number };
    expect([changed(), changed.n]).toEqual([4, 1]);
    const Box = other('class { static kind = "a"; items = [1]; }') as { new (): unknown; kind: string };
    expect([new Box(), Box.kind]).toEqual([{ items: [2] }, 'a']);
  });

  test('a function that returns nothing becomes one that does nothing', async () => {
    const calls: number[] = [];
    const other = (code: string) =>
      new Function('calls', `return ${JAVASCRIPT_VALUES.different(code)};`)(calls);
    expect([other('() => { calls.push(1); }')(), calls]).toEqual([undefined, []]);
    expect(await other('async () => { calls.push(1); }')()).toBeUndefined();
    expect([other('() => calls.push(1)')(), calls]).toEqual([2, [1]]);
    expect(typeof other('Symbol("a")')).toBe('symbol');
  });

  test('changes what a function, a method, a class or a generator returns or yields', async () => {
    const results = (code: string) => evaluated(JAVASCRIPT_VALUES.different(code));
    expect((results('n => n + 1') as (n: number) => number)(1)).toBe(3);
    const Stack = results(
      'class { #n = []; push(x) { this.#n.push(x); return this; } pop() { return this.#n.pop(); } get size() { return this.#n.length; } }',
    ) as new () => { push(n: number): { size: number; pop(): number } };
    const stack = new Stack().push(4);
    expect([stack.size, stack.pop()]).not.toEqual([1, 4]);
    const frozen = 'Object.freeze(new (class { n = 1; get twice() { return this.n * 2; } })())';
    expect(evaluated(JAVASCRIPT_VALUES.different(frozen))).toMatchObject({ n: 2, twice: 3 });
    const items = evaluated(JAVASCRIPT_VALUES.different('(function* () { yield 1; yield 2; })()'));
    expect([...(items as Iterable<number>)]).toEqual([2, 3]);
    const later = evaluated(JAVASCRIPT_VALUES.different('(async function* () { yield 1; })()'));
    for await (const item of later as AsyncIterable<number>) expect(item).toBe(2);
  });

  test('a regular expression, an error and an async function keep their types', async () => {
    const other = (code: string) => evaluated(JAVASCRIPT_VALUES.different(code));
    expect([types.isRegExp(other('/a/g')), (other('/a/g') as RegExp).test('a')]).toEqual([true, false]);
    const error = other('Object.assign(new RangeError("a"), { code: "E" })');
    expect([types.isNativeError(error), error]).toMatchObject([true, { message: 'b', code: 'F' }]);
    expect(error).toBeInstanceOf(RangeError);
    const later = other('async function (n) { return this.n + n; }') as (n: number) => Promise<number>;
    expect([types.isAsyncFunction(later), await later.call({ n: 1 }, 2)]).toEqual([true, 4]);
  });

  test('the code runs even if its value is discarded', () => {
    expect(
      evaluated(`[n => ${JAVASCRIPT_VALUES.dropped('n.push(1)')}].map(f => [[]].map(n => [f(n), n]))`),
    ).toEqual([[[undefined, [1]]]]);
  });
});
=======
import { expect, test } from 'vitest';
import { PYTHON_VALUES } from '../../../src/proof/exam/faults/different-python-value.ts';
>>>>>>> 3dbc2b1a (Exam: the code for different values has a file for each language):test/proof/exam/different-python-value.test.ts

const hasPython = spawnSync('python3', ['--version']).status === 0;

test.skipIf(!hasPython)(
  'in Python, a value is changed to another one of the same type (skipped without python3)',
  () => {
    const values = {
      '"a x"': "'b y'",
      '"Zz 9.10"': "'Aa 1.20'",
      '"00"': "'11'",
      '"--"': "'----'",
      '""': "'x'",
      '1.5': '2.5',
      '-1': '-2',
      '0.5': '0.25',
      '-1e300': '-5e+299',
      'float("inf")': '0.0',
      True: 'False',
      'b"a"': "b'`'",
      '[1, ("a",)]': "[2, ('b',)]",
      '{"a": 1}': "{'a': 2}",
      '1, "a"': "(2, 'b')",
      'type("L", (list,), {})([1, "a"])': "[2, 'b']",
      'type("L", (list,), {})()': "['x']",
      '__import__("datetime").date(2024, 2, 29)': 'datetime.date(2024, 3, 1)',
      'len({True, False} & {1, 0})': '3',
      '__import__("http").HTTPMethod.GET': '<HTTPMethod.CONNECT>',
      '__import__("decimal").Decimal("1.5")': "Decimal('2.5')",
      '__import__("collections").namedtuple("A", "x y")(1, "b")': "A(x=2, y='c')",
      '__import__("types").SimpleNamespace(a=1)': 'namespace(a=2)',
      '__import__("pathlib").PurePosixPath("a")': "PurePosixPath('a/x')",
      '__import__("re").compile("a")': "re.compile('(?!)')",
      '__import__("datetime").timedelta(1)': 'datetime.timedelta(days=2)',
      '__import__("datetime").time(1, 2, 59)': 'datetime.time(1, 2)',
      '__import__("collections").OrderedDict(a=1)': "OrderedDict([('a', 2)])",
      '__import__("collections").Counter("aab")': "Counter({'a': 3, 'b': 2})",
      '__import__("collections").deque(["a"])': "deque(['b'])",
      '__import__("uuid").UUID(int=0)': "UUID('00000000-0000-0000-0000-000000000001')",
      '__import__("datetime").timezone.utc': 'datetime.timezone(datetime.timedelta(seconds=3600))',
      '__import__("zoneinfo").ZoneInfo("Europe/Paris")': "zoneinfo.ZoneInfo(key='UTC')",
      '__import__("types").MappingProxyType({"a": 1})': "mappingproxy({'a': 2})",
      'slice(1, 4)': 'slice(1, 5, None)',
      'range(3)': 'range(0, 4)',
      'bytearray(b"a")': "bytearray(b'`')",
      'bytes(memoryview(b"a"))': "b'`'",
    };
    const codes = Object.keys(values).map(each => `print(repr(${PYTHON_VALUES.different(each)}))`);
    const output = execFileSync('python3', ['-'], { input: codes.join('\n'), encoding: 'utf8' });
    expect(output.trim().split('\n')).toEqual(Object.values(values));
    const ofSubclasses = ['tuple', 'list', 'set', 'frozenset'].map(type => {
      const made = `type("A", (${type},), {"x": 1})([1, 2])`;
      return `v = ${made}; o = ${PYTHON_VALUES.different('v')}; print(o != v, o.__class__ is v.__class__, len(v))`;
    });
    expect(execFileSync('python3', ['-c', ofSubclasses.join('\n')], { encoding: 'utf8' })).toBe(
      'True True 2\n'.repeat(4),
    );
    const sets = ['{"a"}', 'set()', 'frozenset({1})'].map(v => `sorted(${PYTHON_VALUES.different(v)})`);
    const twoBools = `len(${PYTHON_VALUES.different('{True, False}')})`;
    expect(execFileSync('python3', ['-c', `print(${sets}, ${twoBools})`], { encoding: 'utf8' })).toBe(
      "['b', 'c'] ['x', 'y'] [2, 3] 1\n",
    );
    const sentinel = '__import__("unittest.mock").mock.sentinel.a';
    const kept = `print(${PYTHON_VALUES.different(sentinel)} == ${sentinel}, ${sentinel})`;
    expect(execFileSync('python3', ['-c', kept], { encoding: 'utf8' })).toBe('False sentinel.a\n');
    const results = `print(${PYTHON_VALUES.different('lambda n: n + 1')}(1))`;
    expect(execFileSync('python3', ['-c', results], { encoding: 'utf8' })).toBe('3\n');
    const items = `print(list(${PYTHON_VALUES.different('(n for n in [1, 2])')}))`;
    expect(execFileSync('python3', ['-c', items], { encoding: 'utf8' })).toBe('[2, 3]\n');
    const lines = [
      'class A:\n  """A."""\n  def __init__(self, n): self.n = n\n  def twice(self): return 2 * self.n\n  def __str__(self): return "a"',
      `B = ${PYTHON_VALUES.different('A')}`,
      'b = B(1); print(B.__name__, B.__doc__, "twice" in vars(B), issubclass(B, A), isinstance(b, A), b.n, b.twice(), str(b))',
      'class E(ValueError): pass',
      'class D(__import__("abc").ABC):\n  __slots__ = ("a",)\n  def __init__(self): self.a = 1\n  def copy(self): return super().__str__()',
      `d = ${PYTHON_VALUES.different('D')}(); print(d.a, isinstance(d, D), len(d.copy()) > 1)`,
      `print(str(${PYTHON_VALUES.different('E')}("a")), issubclass(${PYTHON_VALUES.different('E')}, ValueError))`,
      'class S:\n  __slots__ = ("a",)\n  def __init__(self): self.a = 1',
      `s = ${PYTHON_VALUES.different('S()')}; print(type(s) is S, s.a)`,
      'class T(str): pass',
      `t = ${PYTHON_VALUES.different('T("a")')}; print(type(t) is T, t)`,
      'async def wait(): pass',
      `f = ${PYTHON_VALUES.different('len')}; print(${PYTHON_VALUES.different('wait')} is wait, f([1]), f.__name__)`,
      'lock = __import__("threading").Lock()',
      `print(${PYTHON_VALUES.different('lock')} is lock)`,
    ];
    const seen = execFileSync('python3', ['-c', lines.join('\n')], { encoding: 'utf8' });
    expect(seen.trim().split('\n')).toEqual([
      'A A. True True True 2 5 b',
      '2 True True',
      'a True',
      'True 2',
      'True b',
      'True 2 len',
      'True',
    ]);
    const dropped = `n = []\nprint(${PYTHON_VALUES.dropped('n.append(1)')}, n)`;
    expect(execFileSync('python3', ['-c', dropped], { encoding: 'utf8' })).toBe('None [1]\n');
  },
);

test.skipIf(!hasPython)(
  'in Python, the unequal value for a given value has another type only if the type of that value has no other (skipped without python3)',
  () => {
    const values = [
      '__import__("datetime").timezone.utc',
      '__import__("zoneinfo").ZoneInfo("UTC")',
      'slice(1, 4)',
      '[slice(1, 4), {"a": slice(2)}]',
      '__import__("array").array("d", [2, 4])',
      '{"a": 1}.items()',
      '{"a": 1}.keys()',
      '__import__("types").MappingProxyType({"a": 1})',
      'Ellipsis',
      'NotImplemented',
      '__import__("time").gmtime(0)',
      '__import__("http").HTTPMethod',
      '__import__("dataclasses").make_dataclass("Stop", [])()',
      'type("L", (list,), {})([1])',
      '{6, 7}',
      '"a"',
      'None',
      'len',
      'ValueError',
    ];
    const codes = values.map(each => `v = ${each}; print(${PYTHON_VALUES.unequal('v')} == v)`);
    const output = execFileSync('python3', ['-c', codes.join('\n')], { encoding: 'utf8' });
    expect(output.trim().split('\n')).toEqual(values.map(() => 'False'));
    const types = ['1.5', '"a"', '{"a": [1]}', 'Ellipsis'].map(
      each => `type(${PYTHON_VALUES.unequal(each)}).__name__`,
    );
    const names = execFileSync('python3', ['-c', `print(${types.join(', ')})`], { encoding: 'utf8' });
    expect(names).toBe('float str dict object\n');
  },
);
