import { execFileSync, spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { PYTHON_VALUES } from '../../../src/proof/exam/faults/python-value-changes.ts';

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
  'in Python, a value is replaced with one of another type only if its own type has no other value (skipped without python3)',
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
