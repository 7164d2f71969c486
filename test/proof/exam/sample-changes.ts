/**
 * Sample changes with the status that each unit must get. The statuses were determined by reading code and
 * tests. The line of a removal is the one after which the removed lines were.
 */
import type { Files } from './sample-repository.ts';

export interface SampleChange {
  readonly name: string;
  readonly command: string;
  readonly before: Files;
  readonly after: Files;
  readonly tests: Files;
  /** `FILE:FIRST-LAST STATUS`, and `~` with the partners of a unit. */
  readonly expected: readonly string[];
  /** Ends of the ids of tests that claim to hold before and after. */
  readonly keeps?: readonly string[];
  /** Ends of the ids of tests that no unit or fault makes fail by an assertion. */
  readonly withoutKill?: readonly string[];
}

const lines = (...of: string[]) => of.map(line => `${line}\n`).join('');
export const NODE = 'node --test --test-reporter=tap';
const PYTEST = 'python3 -m pytest -q -p no:cacheprovider --junitxml=/dev/stdout';
const GO = 'go test -json ./...';
const VITEST = 'node_modules/.bin/vitest run --root . --reporter=json';

const nodeTest = (...body: string[]) =>
  lines("import test from 'node:test';", "import assert from 'node:assert/strict';", ...body);

const TITLE = lines(
  'export function title(text) {',
  '  const words = text.split(" ");',
  '  return words.map(word => word[0].toUpperCase() + word.slice(1)).join(" ");',
  '}',
);

export const SAMPLES: readonly SampleChange[] = [
  {
    name: 'two guards, one of them tested',
    command: NODE,
    before: { 'package.json': '{"type":"module"}', 'src/title.js': TITLE },
    after: {
      'src/title.js': lines(
        'export function title(text) {',
        '  if (text === "") return "";',
        '  const words = text.split(" ");',
        '  if (words.length > 100) throw new RangeError("too long");',
        '  return words.map(word => word[0].toUpperCase() + word.slice(1)).join(" ");',
        '}',
      ),
    },
    tests: {
      'title.test.mjs': nodeTest(
        'import { title } from "./src/title.js";',
        'test("AC-1: empty", () => assert.equal(title(""), ""));',
        'test("AC-2: words", () => assert.equal(title("a b"), "A B"));',
      ),
    },
    expected: ['src/title.js:2-2 proven', 'src/title.js:4-4 untested'],
  },
  {
    name: 'a new file with three functions, of which one is not called by any test and one is not checked',
    command: NODE,
    before: { 'package.json': '{"type":"module"}' },
    after: {
      'src/money.js': lines(
        'const CENTS = 100;',
        '',
        '/** In cents. */',
        'export function parse(text) {',
        '  return Math.round(Number(text) * CENTS);',
        '}',
        '',
        'export function format(cents) {',
        '  return (cents / CENTS).toFixed(2);',
        '}',
        '',
        'export function log(cents) {',
        '  written.push(format(cents));',
        '}',
        '',
        'export const written = [];',
      ),
    },
    tests: {
      'money.test.mjs': nodeTest(
        'import { log, parse } from "./src/money.js";',
        'test("AC-1: parse", () => assert.equal(parse("1.5"), 150));',
        'test("AC-2: log", () => log(3));',
      ),
    },
    expected: [
      'src/money.js:1-1 proven',
      'src/money.js:4-6 proven',
      'src/money.js:8-10 untested',
      'src/money.js:12-14 untested',
      'src/money.js:16-16 reached',
    ],
    withoutKill: ['AC-2: log'],
  },
  {
    name: 'two guards that back each other up',
    command: NODE,
    before: {
      'package.json': '{"type":"module"}',
      'src/path.js': lines(
        'export function join(a, b) {',
        '  const path = a + "/" + b;',
        '  return path;',
        '}',
      ),
    },
    after: {
      'src/path.js': lines(
        'export function join(a, b) {',
        '  if (b.startsWith("../")) throw new Error("outside");',
        '  const path = a + "/" + b;',
        '  if (path.includes("/../")) throw new Error("outside");',
        '  return path;',
        '}',
      ),
    },
    tests: {
      'path.test.mjs': nodeTest(
        'import { join } from "./src/path.js";',
        'test("AC-1: outside", () => assert.throws(() => join("a", "../b")));',
        'test("join", () => assert.equal(join("a", "b"), "a/b"));',
      ),
    },
    expected: ['src/path.js:2-2 together ~ u2', 'src/path.js:4-4 together ~ u1'],
    keeps: ['join'],
  },
  {
    name: 'two lines without which a test fails only with another error',
    command: NODE,
    before: {
      'package.json': '{"type":"module"}',
      'src/log.js': lines(
        'export const state = {};',
        'export function add(n) {',
        '  const twice = 2 * n;',
        '  state.log.push(twice);',
        '}',
      ),
    },
    after: {
      'src/log.js': lines(
        'export const state = {};',
        'state.log = new Array();',
        'export function add(n) {',
        '  state.log ??= new Array();',
        '  const twice = 2 * n;',
        '  state.log.push(twice);',
        '}',
      ),
    },
    tests: {
      'log.test.mjs': nodeTest(
        'import { add } from "./src/log.js";',
        'test("AC-1: adds", () => { add(1); assert.ok(true); });',
      ),
    },
    expected: ['src/log.js:2-2 reached', 'src/log.js:4-4 reached'],
    withoutKill: ['adds'],
  },
  {
    name: 'a file that no test loads',
    command: NODE,
    before: {
      'package.json': '{"type":"module"}',
      'src/a.js': lines('export const a = () => 1;'),
      'src/b.js': lines('export const b = () => 1;'),
    },
    after: {
      'src/a.js': lines('export const a = () => 2;'),
      'src/b.js': lines('export const b = () => 2;'),
    },
    tests: {
      'a.test.mjs': nodeTest(
        'import { a } from "./src/a.js";',
        'test("AC-1: a", () => assert.equal(a(), 2));',
      ),
    },
    expected: ['src/a.js:1-1 proven', 'src/b.js:1-1 not-loaded'],
  },
  {
    name: 'a constant that tests only look up, and one whose value they check',
    command: PYTEST,
    before: { 'parts.py': lines('def parse(text):', '    return int(text)') },
    after: {
      'parts.py': lines('PART = "smh"', '', 'MOST = 3', '', '', 'def parse(text):', '    return int(text)'),
    },
    tests: {
      'test_parts.py': lines(
        ...['import parts', '', '', 'def test_ac1_name():', '    assert hasattr(parts, "PART")', '', ''],
        ...['def test_ac2_value():', '    assert parts.MOST == 3'],
      ),
    },
    expected: ['parts.py:1-1 untested', 'parts.py:3-3 proven'],
    withoutKill: ['test_ac1_name'],
  },
  {
    name: 'a new function next to an existing one',
    command: NODE,
    before: { 'package.json': '{"type":"module"}', 'src/title.js': TITLE },
    after: {
      'src/title.js': lines(
        ...[TITLE.trimEnd(), 'export function slug(text) {'],
        ...['  return text.toLowerCase().split(" ").join("-");', '}'],
      ),
    },
    tests: {
      'title.test.mjs': nodeTest(
        'import { slug, title } from "./src/title.js";',
        'test("AC-1: slug", () => assert.equal(slug("A b"), "a-b"));',
        'test("AC-2: title is kept", () => assert.equal(title("a b"), "A B"));',
      ),
    },
    keeps: ['title is kept'],
    expected: ['src/title.js:5-7 proven'],
  },
  {
    name: 'a refactoring that keeps the behaviour, with comments and whitespace',
    command: NODE,
    before: {
      'package.json': '{"type":"module"}',
      'src/sum.js': lines(
        'export function sum(list) {',
        '  let all = 0;',
        '  for (const each of list) all += each;',
        '  return all;',
        '}',
        'export const zero = 0;',
      ),
    },
    after: {
      'src/sum.js': lines(
        '/** Adds up. */',
        'export function sum(list) {',
        '  return list.reduce((all, each) => all + each, 0);',
        '}',
        'export const zero  =  0;',
      ),
    },
    tests: {
      'sum.test.mjs': nodeTest(
        'import { sum } from "./src/sum.js";',
        'test("AC-1: sum", () => assert.equal(sum([1, 2]), 3));',
      ),
    },
    expected: ['src/sum.js:1-1 not-code', 'src/sum.js:3-3 unseen', 'src/sum.js:5-5 not-code'],
  },
  {
    name: 'a default that crashes tests when it is removed, and whose value they check',
    command: NODE,
    before: {
      'package.json': '{"type":"module"}',
      'src/schema.js': lines(
        'export class Schema {',
        '  constructor(options) {',
        '    this.options = options;',
        '  }',
        '',
        '  load(data) {',
        '    return { data };',
        '  }',
        '}',
      ),
    },
    after: {
      'src/schema.js': lines(
        'export class Schema {',
        '  constructor(options) {',
        '    this.limit = { many: options.many ?? false };',
        '    this.options = options;',
        '  }',
        '',
        '  load(data) {',
        '    return { data, many: this.limit.many };',
        '  }',
        '}',
      ),
    },
    tests: {
      'schema.test.mjs': nodeTest(
        'import { Schema } from "./src/schema.js";',
        'test("AC-1: one", () => assert.deepEqual(new Schema({}).load(1), { data: 1, many: false }));',
      ),
    },
    expected: ['src/schema.js:3-3 proven', 'src/schema.js:8-8 proven'],
  },
  {
    name: 'TypeScript types and code, with vitest',
    command: VITEST,
    before: {
      'package.json': '{"type":"module"}',
      'src/clamp.ts': lines('export const clamp = (n: any) => n;', 'export const same = (n: any) => n;'),
    },
    after: {
      'src/clamp.ts': lines(
        'export interface Range { low: number; high: number }',
        'export const clamp = (n: number, range: Range) =>',
        '  Math.min(Math.max(n, range.low), range.high);',
        'export const same = (n: number): number => n;',
      ),
    },
    tests: {
      'clamp.test.ts': lines(
        "import { expect, test } from 'vitest';",
        "import { clamp } from './src/clamp.ts';",
        "test('AC-1: high', () => expect(clamp(9, { low: 1, high: 3 })).toBe(3));",
      ),
    },
    expected: ['src/clamp.ts:1-4 proven'],
  },
  {
    name: 'a renamed file with a change',
    command: NODE,
    before: {
      'package.json': '{"type":"module"}',
      'src/old.js': lines(
        '// one',
        '// two',
        '// three',
        'export const max = () => 3;',
        'export const min = () => 1;',
      ),
    },
    after: {
      'src/old.js': null,
      'src/new.js': lines(
        '// one',
        '// two',
        '// three',
        'export const max = () => 4;',
        'export const min = () => 1;',
      ),
    },
    tests: {
      'new.test.mjs': nodeTest(
        'import { max } from "./src/new.js";',
        'test("AC-1: max", () => assert.equal(max(), 4));',
      ),
    },
    expected: ['src/new.js:4-4 proven'],
  },
  {
    name: 'a deletion of lines and of a file',
    command: NODE,
    before: {
      'package.json': '{"type":"module"}',
      'src/a.js': lines('export function a(x) {', '  if (x > 9) x = 9;', '  return x;', '}'),
      'src/b.js': lines('export const b = 1;'),
    },
    after: { 'src/a.js': lines('export function a(x) {', '  return x;', '}'), 'src/b.js': null },
    tests: {
      'a.test.mjs': nodeTest(
        'import { existsSync } from "node:fs";',
        'import { a } from "./src/a.js";',
        'test("AC-1: no limit", () => assert.equal(a(10), 10));',
        'test("AC-2: no file", () => assert.equal(existsSync("src/b.js"), false));',
      ),
    },
    expected: ['src/a.js:1 proven', 'src/b.js:0 proven'],
  },
  {
    name: 'CRLF',
    command: NODE,
    before: {
      'package.json': '{"type":"module"}',
      'src/a.js': 'export function a(x) {\r\n  return x;\r\n}\r\n',
    },
    after: {
      'src/a.js':
        'export function a(x) {\r\n  // limited\r\n  if (x > 9)\r\n    return 9;\r\n  return x;\r\n}\r\n',
    },
    tests: {
      'a.test.mjs': nodeTest(
        'import { a } from "./src/a.js";',
        'test("AC-1: limit", () => assert.equal(a(10), 9));',
      ),
    },
    expected: ['src/a.js:2-4 proven'],
  },
  {
    name: 'a condition around an unchanged line is removed, and a local variable is added',
    command: NODE,
    before: {
      'package.json': '{"type":"module"}',
      'src/names.js': lines(
        'export function names(text) {',
        '  const found = [];',
        '  for (const part of text.split(";"))',
        '    if (!part.includes("="))',
        '      found.push(part.split("=").at());',
        '  return found;',
        '}',
      ),
    },
    after: {
      'src/names.js': lines(
        'export function names(text) {',
        '  const found = [];',
        '  for (const part of text.split(";")) {',
        '      found.push(part.split("=").at());',
        '    const size = found.length;',
        '  }',
        '  return found;',
        '}',
      ),
    },
    tests: {
      'names.test.mjs': nodeTest(
        'import { names } from "./src/names.js";',
        'test("AC-1: values are ignored", () => assert.deepEqual(names("a=1;b"), ["a", "b"]));',
      ),
    },
    expected: ['src/names.js:3-3 proven', 'src/names.js:5-6 proven'],
  },
  {
    name: 'a committed snapshot',
    command: VITEST,
    before: {
      'package.json': '{"type":"module"}',
      'src/greet.js': lines('export const greet = () => "hi";'),
    },
    after: { 'src/greet.js': lines('export const greet = name => "hello " + name;') },
    tests: {
      'greet.test.js': lines(
        "import { expect, test } from 'vitest';",
        "import { greet } from './src/greet.js';",
        "test('AC-1: greet', () => expect(greet('ann')).toMatchSnapshot());",
      ),
      '__snapshots__/greet.test.js.snap':
        '// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html\n\nexports[`AC-1: greet 1`] = `"hello ann"`;\n',
    },
    expected: ['src/greet.js:1-1 proven'],
  },
  {
    name: 'Python: a helper with its use, an unseen branch, and a doc string',
    command: PYTEST,
    before: { 'shop/__init__.py': '', 'shop/price.py': lines('def price(n):', '    return n * 10') },
    after: {
      'shop/price.py': lines(
        '"""Prices."""',
        'from math import floor',
        '',
        '',
        'def discount(n):',
        '    if n > 100:',
        '        return 0.5',
        '    return 0.9 if n >= 10 else 1',
        '',
        '',
        'def price(n):',
        '    return floor(n * 10 * discount(n))',
      ),
    },
    tests: {
      'test_price.py': lines(
        'from shop.price import price',
        'def test_ac1_few(): assert price(1) == 10',
        'def test_ac2_many(): assert price(10) == 90',
      ),
    },
    expected: ['shop/price.py:1-2 reached', 'shop/price.py:5-8 proven', 'shop/price.py:12-12 proven'],
  },
  {
    name: 'Python: a doc string that no test notices, and one that a test reads',
    command: PYTEST,
    before: {
      'shop.py': lines(
        'def price(n):',
        '    """The price."""',
        '    n = float(n)',
        '    return n * 10',
        '',
        '',
        'def usage():',
        '    """shop N"""',
        '    return usage.__doc__',
      ),
    },
    after: {
      'shop.py': lines(
        'def price(n):',
        '    """The price in euros.',
        '',
        '    It is rounded.',
        '    """',
        '    n = float(n)',
        '    return round(n * 10)',
        '',
        '',
        'def usage():',
        '    """shop NUMBER"""',
        '    return usage.__doc__',
      ),
    },
    tests: {
      'test_shop.py': lines(
        'from shop import price, usage',
        'def test_ac1_price(): assert price(0.123) == 1',
        'def test_ac2_usage(): assert usage() == "shop NUMBER"',
      ),
    },
    expected: ['shop.py:2-5 not-code', 'shop.py:7-7 proven', 'shop.py:11-11 proven'],
  },
  {
    name: 'Python: a variable that can only be removed together with its use',
    command: PYTEST,
    before: {
      'title.py': lines('def title(text):', '    ends = [text, "x"]', '    return "-".join(ends)'),
    },
    after: {
      'title.py': lines(
        'def title(text):',
        '    between = text.strip()',
        '    ends = [text, "x"]',
        '    return between.join(ends)',
      ),
    },
    tests: {
      'test_title.py': lines('from title import title', 'def test_ac1_title(): assert title("+") == "++x"'),
    },
    expected: ['title.py:2-2 proven', 'title.py:4-4 proven'],
  },
  {
    name: 'Python: a method that is called but not checked',
    command: PYTEST,
    before: { 'box.py': lines('class Box:', '    def __init__(self):', '        self.items = []') },
    after: {
      'box.py': lines(
        'class Box:',
        '    def __init__(self):',
        '        self.items = []',
        '',
        '    def add(self, item):',
        '        self.items.append(item)',
        '',
        '    def clear(self):',
        '        self.items = []',
      ),
    },
    tests: {
      'test_box.py': lines(
        'from box import Box',
        'def test_ac1_add():',
        '    box = Box()',
        '    box.add(1)',
        '    box.clear()',
        '    box.add(2)',
        '    assert 2 in box.items',
      ),
    },
    expected: ['box.py:5-6 proven', 'box.py:8-9 untested'],
  },
  {
    name: 'Go: a function whose type and constant are declared elsewhere in the change',
    command: GO,
    before: { 'go.mod': 'module example.org/rate\n\ngo 1.19\n', 'rate.go': lines('package rate') },
    after: {
      'limit.go': lines('package rate', '', 'const Most = 3', '', 'type Limit struct {', '\tused int', '}'),
      'rate.go': lines(
        'package rate',
        '',
        'import "errors"',
        '',
        'func (l *Limit) Take() (int, error) {',
        '\tif l.used >= Most {',
        '\t\treturn 0, errors.New("full")',
        '\t}',
        '\tl.used++',
        '\treturn Most - l.used, nil',
        '}',
        '',
        'func (l *Limit) Reset() {',
        '\tl.used = 0',
        '}',
      ),
    },
    tests: {
      'rate_test.go': lines(
        'package rate',
        '',
        'import "testing"',
        '',
        'func TestAC1Full(t *testing.T) {',
        '\tl := Limit{}',
        '\tfor i := 0; i < 3; i++ {',
        '\t\tif left, err := l.Take(); err != nil || left != 2-i {',
        '\t\t\tt.Fatalf("left %d, %v", left, err)',
        '\t\t}',
        '\t}',
        '\tif _, err := l.Take(); err == nil {',
        '\t\tt.Error("no error")',
        '\t}',
        '\tl.Reset()',
        '}',
      ),
    },
    expected: ['limit.go:1-7 proven', 'rate.go:3-3 breaks', 'rate.go:5-11 proven', 'rate.go:13-15 untested'],
  },
  {
    name: 'Go: untested lines that cannot be taken out alone, and tested lines next to them',
    command: GO,
    before: {
      'go.mod': 'module example.org/kind\n\ngo 1.19\n',
      'kind.go': lines(
        'package kind',
        '',
        'func IsZero(value interface{}, text string) bool {',
        '\tswitch value.(type) {',
        '\tcase bool:',
        '\t\treturn text == "false"',
        '\tcase int:',
        '\t\treturn text == "0"',
        '\t}',
        '\treturn text == ""',
        '}',
        '',
        'func Name(value interface{}) string {',
        '\treturn "value"',
        '}',
      ),
    },
    after: {
      'kind.go': lines(
        'package kind',
        '',
        'func isBool(value interface{}) bool {',
        '\t_, ok := value.(bool)',
        '\treturn ok',
        '}',
        '',
        'func IsZero(value interface{}, text string) bool {',
        '\tif isBool(value) {',
        '\t\treturn text == "false"',
        '\t}',
        '\tswitch value.(type) {',
        '\tcase int:',
        '\t\treturn text == "0"',
        '\t}',
        '\treturn text == ""',
        '}',
        '',
        'func Name(value interface{}) string {',
        '\tif isBool(value) {',
        '\t\treturn ""',
        '\t}',
        '\treturn "value"',
        '}',
      ),
    },
    tests: {
      'kind_test.go': lines(
        'package kind',
        '',
        'import "testing"',
        '',
        'func TestAC1Name(t *testing.T) {',
        '\tif name := Name(true); name != "" {',
        '\t\tt.Errorf("name %q", name)',
        '\t}',
        '}',
      ),
    },
    expected: [
      'kind.go:3-6 proven',
      'kind.go:9-9 untested',
      'kind.go:11-12 untested',
      'kind.go:20-22 proven',
    ],
  },
  {
    name: 'an entry that exports what other files define',
    command: NODE,
    before: {
      'package.json': '{"type":"module"}',
      'src/a.js': lines('export const twice = n => 2 * n;', 'export const list = [];'),
      'src/b.js': lines('import { list } from "./a.js";', 'export const add = n => { list.push(n); };'),
      'src/index.js': lines('export { list } from "./a.js";'),
      'src/old.cjs': lines('exports.one = 1;'),
      'src/sum.cjs': lines('module.exports = (a, b) => a + b;'),
    },
    after: {
      'src/index.js': lines('export { list, twice } from "./a.js";', 'export { add } from "./b.js";'),
      'src/old.cjs': lines('exports.one = 1;', 'exports.sum = require("./sum.cjs");'),
    },
    tests: {
      'index.test.mjs': nodeTest(
        'import { add, list, twice } from "./src/index.js";',
        'import old from "./src/old.cjs";',
        'test("AC-1: twice", () => assert.equal(twice(3), 6));',
        'test("AC-2: add", () => { add(1); assert.deepEqual(list, [1]); });',
        'test("AC-3: sum", () => assert.equal(old.sum(1, 2), 3));',
        'test("AC-4: there", () => assert.equal(typeof twice, "function"));',
      ),
    },
    expected: ['src/index.js:1-2 proven', 'src/old.cjs:2-2 proven'],
    withoutKill: ['AC-4: there'],
  },
];
