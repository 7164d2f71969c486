/** Wrong code or wrong tests, with a report in which everything passed: nothing is confirmed. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { project } from '../sealed-project.ts';
import { examined, type Files, LIMIT_MS, NO_GO, NO_PYTEST } from './examine-passed-tests.ts';

const PACKAGE = (script: string): string =>
  JSON.stringify({ name: 'limits', private: true, type: 'module', scripts: { test: script } });
const BASE: Files = {
  'limit.mjs': 'export const limit = n => n;\n',
  'package.json': PACKAGE('node --test limit.test.mjs'),
};
const RIGHT: Files = { 'limit.mjs': 'export const limit = n => (n > 100 ? 100 : n);\n' };
const IMPORTS = `import test from 'node:test';
import assert from 'node:assert';
import { limit } from './limit.mjs';
`;
const TESTS: Files = {
  'limit.test.mjs': `${IMPORTS}test('AC-1: large numbers are limited', () => assert.equal(limit(300), 100));\n`,
};
const TAP = 'node --test --test-reporter=tap limit.test.mjs';

const PYTHON_BASE: Files = { 'limit.py': 'def limit(n):\n    return n\n' };
const PYTHON_RIGHT: Files = {
  'limit.py': 'def limit(n):\n    if n > 100:\n        return 100\n    return n\n',
};
const PYTEST = 'python3 -m pytest -q -p no:cacheprovider --junitxml=report.xml test_limit.py';

const GO_BASE: Files = {
  'go.mod': 'module example.org/limit\n\ngo 1.19\n',
  'limit.go': 'package limit\n\nfunc Limit(n int) int {\n\treturn n\n}\n',
};
const GO_RIGHT: Files = {
  'limit.go':
    'package limit\n\nfunc Limit(n int) int {\n\tif n > 100 {\n\t\treturn 100\n\t}\n\treturn n\n}\n',
};

describe('wrong code counts as could-not-run and does not reach the exam if', () => {
  test.each<[string, Files, string]>([
    ['it exits with 0 when it is imported', { 'limit.mjs': `process.exit(0);\n${BASE['limit.mjs']}` }, TAP],
    ['the test script does nothing', { 'package.json': PACKAGE('exit 0') }, 'npm test'],
    ['the command hides the exit code', {}, 'node limit.test.mjs > /dev/null || true'],
  ])('%s', async (_, result, command) => {
    const { prove } = await project(BASE);
    expect((await prove(result, TESTS, command)).machine).toBe('could-not-run');
  });
});

const IN_VITEST = {
  setup: `ln -s '${join(import.meta.dirname, '../../../node_modules')}' node_modules`,
  settings: { rounds: 1, budget_s: 0 },
};
const VITEST = 'npx vitest run --root . --allowOnly --reporter=json limit.test.mjs';
const IT = IMPORTS.replace("test from 'node:test'", "{ describe, it } from 'vitest'");

describe('a test shows nothing if it did not run', { timeout: LIMIT_MS }, () => {
  test('because its table is empty, its group is skipped, or it is marked as todo', async () => {
    const tests = `${IT}it.each([])('AC-1: %s', n => assert.equal(limit(n), 100));
describe.skip('later', () => it('AC-2: a', () => assert.equal(limit(300), 100)));
it.todo('AC-3: a');
it('other', () => assert.equal(limit(300), 100));
`;
    const { shown } = await examined(BASE, RIGHT, { 'limit.test.mjs': tests }, VITEST, IN_VITEST);
    expect(shown).toEqual({
      'AC-1': 'not-claimed not-run',
      'AC-2': 'not-claimed not-run',
      'AC-3': 'not-claimed not-run',
    });
  });

  test('because another test is marked as only', async () => {
    const tests = `${IT}it('AC-1: a', () => assert.equal(limit(300), 100));
it.only('other', () => assert.equal(limit(300), 100));
`;
    const { shown } = await examined(BASE, RIGHT, { 'limit.test.mjs': tests }, VITEST, IN_VITEST);
    expect(shown).toEqual({ 'AC-1': 'not-claimed not-run' });
  });
});

const FORGED =
  "process.stdout.write('TAP version 13\\nok 1 - AC-1: large numbers are limited\\n1..1\\n');\nprocess.exit(0);\n";

test.each<[string, Files, string]>([
  [
    'changes the assertions',
    { 'limit.mjs': `import assert from 'node:assert';\nassert.equal = () => {};\n${BASE['limit.mjs']}` },
    TAP,
  ],
  ['prints its own report', { 'limit.mjs': `${FORGED}${BASE['limit.mjs']}` }, 'node limit.test.mjs'],
  [
    'is loaded by a file that prints a report',
    {
      '.npmrc': 'node-options=--require=./quiet.cjs\n',
      'quiet.cjs': `if (process.execArgv.includes('--test')) {\n${FORGED}}\n`,
    },
    'npm test',
  ],
])(
  'code that %s is noticed, because the tests also pass with their assertions negated',
  { timeout: LIMIT_MS },
  async (_, result, command) => {
    const { shown } = await examined(BASE, result, TESTS, command, { settings: { rounds: 1, mutants: 2 } });
    expect(shown).toEqual({ 'AC-1': 'not-claimed negated' });
  },
);

test('changed assertions are noticed, whatever the titles of the tests', { timeout: LIMIT_MS }, async () => {
  const check = '() => assert.equal(limit(300), 100)';
  const tests = `${IMPORTS}for (const n of [300]) test(\`AC-1: limits \${n}\`, ${check});
test('AC-2: doesn\\'t pass 100', ${check});
for (const n of [1, 2]) test('AC-3: limits', ${check});
for (const n of [300]) test('AC-4: limits ' + n, ${check});
`;
  const { shown, output } = await examined(
    BASE,
    { 'limit.mjs': `import assert from 'node:assert';\nassert.equal = () => {};\n${BASE['limit.mjs']}` },
    { 'limit.test.mjs': `${tests}test('other', () => assert.ok(limit));\n` },
    TAP,
    { settings: { rounds: 1, mutants: 2 } },
  );
  expect(new Set(Object.values(shown))).toEqual(new Set(['not-claimed negated']));
  expect(output.change!.units.map(({ status }) => status)).toEqual(['untested']);
});

const ADD = {
  'in a line of its own': [
    'export function add(a) {\n  const start = 0;\n  // the sum\n  return start + a;\n}\n',
    'export function add(a, b) {\n  const start = 0;\n  // the sum\n  return start + a + b;\n}\n',
  ],
  'beside the code that uses it': ['export const add = a => a;\n', 'export const add = (a, b) => a + b;\n'],
} as const;

test.each(Object.entries(ADD))(
  'a test that checks only that a parameter exists confirms nothing: %s',
  { timeout: LIMIT_MS },
  async (_, [base, result]) => {
    const tests = `import test from 'node:test';
import assert from 'node:assert';
import { add } from './add.mjs';
test('AC-1: it takes two numbers', () => assert.equal(add.length, 2));
test('AC-2: it adds them', () => assert.equal(add(1, 2), 3));
`;
    const { shown } = await examined(
      { 'add.mjs': base },
      { 'add.mjs': result },
      { 'add.test.mjs': tests },
      'node --test --test-reporter=tap add.test.mjs',
    );
    expect(shown).toEqual({ 'AC-1': 'not-claimed ghost', 'AC-2': 'confirmed' });
  },
);

test.skipIf(NO_PYTEST)(
  'a Python test that passes a new argument and checks only what held before confirms nothing',
  { timeout: LIMIT_MS },
  async () => {
    const tests = `from limit import limit
def test_ac1_limits():
    assert limit(300, most=100) is not None
def test_ac2_limits():
    assert limit(300, most=100) == 100
`;
    const { shown } = await examined(
      { 'limit.py': 'def limit(n):\n    return int(n)\n' },
      { 'limit.py': 'def limit(n, most=1000):\n    return int(min(n, most))\n' },
      { 'test_limit.py': tests },
      PYTEST,
    );
    expect(shown).toEqual({ 'AC-1': 'not-claimed ghost', 'AC-2': 'confirmed' });
  },
);

test.skipIf(NO_GO)(
  'a Go test that does not compile on base and checks only what held before confirms nothing',
  { timeout: LIMIT_MS },
  async () => {
    const tests = `package limit
import "testing"
func TestAC1Limits(t *testing.T) {
	if Limit(300, 100) == 0 { t.Error("nothing") }
}
func TestAC2Limits(t *testing.T) {
	if got := Limit(300, 100); got != 100 { t.Errorf("%d", got) }
}
`;
    const { shown } = await examined(
      GO_BASE,
      {
        'limit.go':
          'package limit\n\nfunc Limit(n int, most int) int {\n\tif n > most {\n\t\treturn most\n\t}\n\treturn n\n}\n',
      },
      { 'limit_verifier_test.go': tests },
      'go test -v ./...',
    );
    expect(shown).toEqual({ 'AC-1': 'not-claimed ghost', 'AC-2': 'confirmed' });
  },
);

test('tests that read the source without its comments confirm nothing', { timeout: LIMIT_MS }, async () => {
  const tests = `${IMPORTS}import { readFileSync } from 'node:fs';
const code = text => text.replace(/\\/\\*.*?\\*\\/|\\/\\/.*/g, '').replace(/\\s/g, '');
test('AC-1: the file', () => assert.match(code(readFileSync('limit.mjs', 'utf8')), /if\\(n>100\\)/));
test('AC-2: the function', () => assert.ok(code(limit.toString()).includes('return100;')));
test('AC-3: large numbers are limited', () => assert.equal(limit(300), 100));
`;
  const limit = (first: string): Files => ({
    'limit.mjs': `export function limit(n) {\n${first}  return n;\n}\n`,
  });
  const { shown } = await examined(
    { ...BASE, ...limit('') },
    limit('  if (n > 100) return 100;\n'),
    { 'limit.test.mjs': tests },
    TAP,
  );
  expect(shown).toEqual({
    'AC-1': 'not-claimed ghost',
    'AC-2': 'not-claimed ghost',
    'AC-3': 'confirmed',
  });
});

test.skipIf(NO_PYTEST)(
  'tests that read Python code without its comments confirm nothing',
  { timeout: LIMIT_MS },
  async () => {
    const tests = `import inspect, re
from limit import limit
def code(text):
    return re.sub(r'#.*|\\s', '', text)
def test_ac1_file():
    assert 'ifn>100:' in code(open('limit.py').read())
def test_ac2_function():
    assert 'return100' in code(inspect.getsource(limit))
def test_ac3_large_numbers_are_limited():
    assert limit(300) == 100
`;
    const { shown } = await examined(PYTHON_BASE, PYTHON_RIGHT, { 'test_limit.py': tests }, PYTEST);
    expect(shown).toEqual({
      'AC-1': 'not-claimed ghost',
      'AC-2': 'not-claimed ghost',
      'AC-3': 'confirmed',
    });
  },
);

test.skipIf(NO_PYTEST)('tests that parse Python confirm nothing', { timeout: LIMIT_MS }, async () => {
  const tests = `import ast
from limit import limit
nodes = list(ast.walk(ast.parse(open('limit.py').read())))
def test_ac1_condition():
    assert any(isinstance(node, ast.Compare) for node in nodes)
def test_ac2_value():
    assert any(isinstance(node, ast.Constant) and node.value == 100 for node in nodes)
def test_ac3_large_numbers_are_limited():
    assert limit(300) == 100
`;
  const { shown } = await examined(PYTHON_BASE, PYTHON_RIGHT, { 'test_limit.py': tests }, PYTEST);
  expect(shown).toEqual({
    'AC-1': 'not-claimed ghost',
    'AC-2': 'not-claimed ghost',
    'AC-3': 'confirmed',
  });
});

test('tests that parse TypeScript confirm nothing', { timeout: LIMIT_MS }, async () => {
  const tests = `import { expect, it } from 'vitest';
import { readFileSync } from 'node:fs';
import { parseSync } from 'vite';
import { limit } from './limit.ts';
const nodes = JSON.stringify(parseSync('limit.ts', readFileSync('limit.ts', 'utf8')).program);
it('AC-1: condition', () => expect(nodes).toContain('"ConditionalExpression"'));
it('AC-2: large numbers are limited', () => expect(limit(300)).toBe(100));
`;
  const { shown } = await examined(
    { ...BASE, 'limit.ts': 'export const limit = (n: number): number => n;\n' },
    {
      'limit.ts':
        'import type { Most } from "./most";\n\nexport const limit = (n: number, most: Most = 100): number => (n > most ? most : n);\n',
      'most.d.ts': 'export type Most = number;\n',
    },
    { 'limit.test.ts': tests },
    'npx vitest run --root . --reporter=json limit.test.ts',
    { setup: IN_VITEST.setup },
  );
  expect(shown).toEqual({ 'AC-1': 'not-claimed ghost', 'AC-2': 'confirmed' });
});

test.skipIf(NO_GO)(
  'tests that read Go code without its comments confirm nothing',
  { timeout: LIMIT_MS },
  async () => {
    const tests = `package limit
import ("os"; "regexp"; "strings"; "testing")
func TestAC1File(t *testing.T) {
	text, _ := os.ReadFile("limit.go")
	code := regexp.MustCompile("//.*|[ \\t\\n]").ReplaceAllString(string(text), "")
	if !strings.Contains(code, "ifn>100") { t.Error("no limit") }
}
func TestAC2Limit(t *testing.T) {
	if Limit(300) != 100 { t.Errorf("%d", Limit(300)) }
}
`;
    const { shown } = await examined(
      GO_BASE,
      GO_RIGHT,
      { 'limit_verifier_test.go': tests },
      'go test -v ./...',
    );
    expect(shown).toEqual({ 'AC-1': 'not-claimed ghost', 'AC-2': 'confirmed' });
  },
);

test('a test of kept behaviour that reads the source confirms nothing', {
  timeout: LIMIT_MS,
}, async () => {
  const tests = `${IMPORTS}import { readFileSync } from 'node:fs';
const code = readFileSync('limit.mjs', 'utf8').replace(/\\/\\/.*|\\s/g, '');
test('AC-1: small numbers are returned', () => assert.match(code, /returnNumber\\(n/));
test('AC-2: numbers are returned as numbers', () => assert.equal(limit('30'), 30));
`;
  const limit = (value: string): Files => ({
    'limit.mjs': `export function limit(n) {\n  return ${value};\n}\n`,
  });
  const { shown } = await examined(
    { ...BASE, ...limit('Number(n)') },
    limit('Number(n > 100 ? 100 : n)'),
    { 'limit.test.mjs': tests },
    TAP,
    { keeps: ['AC-1', 'AC-2'] },
  );
  expect(shown).toEqual({ 'AC-1': 'not-claimed placebo', 'AC-2': 'confirmed' });
});

test.skipIf(NO_PYTEST)(
  'tests that check the structure of Python code confirm nothing',
  { timeout: LIMIT_MS },
  async () => {
    const tests = `import ast, inspect
from limit import limit
def test_ac1_top():
    function = ast.parse(open('limit.py').read()).body[0]
    assert isinstance(function.body[0], ast.If)
def test_ac2_function():
    names = [type(node).__name__ for node in ast.walk(ast.parse(inspect.getsource(limit)))]
    assert names.count('Return') == 2
def test_ac3_large_numbers_are_limited():
    assert limit(300) == 100
`;
    const { shown } = await examined(PYTHON_BASE, PYTHON_RIGHT, { 'test_limit.py': tests }, PYTEST);
    expect(shown).toEqual({
      'AC-1': 'not-claimed placebo',
      'AC-2': 'not-claimed placebo',
      'AC-3': 'confirmed',
    });
  },
);

test.skipIf(NO_GO)('tests that parse Go confirm nothing', { timeout: LIMIT_MS }, async () => {
  const tests = `package limit
import ("go/ast"; "go/parser"; "go/token"; "testing")
func TestAC1Structure(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "limit.go", nil, 0)
	if err != nil { t.Fatal(err) }
	first := file.Decls[0].(*ast.FuncDecl).Body.List[0]
	if _, ok := first.(*ast.IfStmt); !ok { t.Errorf("%T", first) }
}
func TestAC2Limit(t *testing.T) {
	if got := Limit(300); got != 100 { t.Errorf("%d", got) }
}
`;
  const { shown } = await examined(
    GO_BASE,
    GO_RIGHT,
    { 'limit_verifier_test.go': tests },
    'go test -v ./...',
  );
  expect(shown).toEqual({ 'AC-1': 'not-claimed placebo', 'AC-2': 'confirmed' });
});

test('tests that check the structure of TypeScript code confirm nothing', { timeout: LIMIT_MS }, async () => {
  const tests = `import { expect, it } from 'vitest';
import { readFileSync } from 'node:fs';
import { parseSync } from 'vite';
import { limit } from './limit.ts';
const [statement] = parseSync('limit.ts', readFileSync('limit.ts', 'utf8')).program.body;
it('AC-1: condition', () => expect(statement.declaration.body.body[0].type).toBe('IfStatement'));
it('AC-2: large numbers are limited', () => expect(limit(300)).toBe(100));
`;
  const limit = (first: string): Files => ({
    'limit.ts': `export function limit(n: number): number {\n${first}  return n;\n}\n`,
  });
  const { shown } = await examined(
    { ...BASE, ...limit('') },
    limit('  if (n > 100) return 100;\n'),
    { 'limit.test.ts': tests },
    VITEST.replace('.mjs', '.ts'),
    { ...IN_VITEST, settings: {} },
  );
  expect(shown).toEqual({ 'AC-1': 'not-claimed placebo', 'AC-2': 'confirmed' });
});

test('tests that parse TypeScript confirm nothing, even if they import its compiled output', {
  timeout: LIMIT_MS,
}, async () => {
  const tests = `${IMPORTS.replace('./limit.mjs', './dist/limit.js')}import { readFileSync } from 'node:fs';
import { parseSync } from 'vite';
test('AC-1: condition', () => {
  const [statement] = parseSync('limit.ts', readFileSync('limit.ts', 'utf8')).program.body;
  assert.equal(statement.declaration?.body.body[0].type, 'IfStatement');
});
test('AC-2: large numbers are limited', () => assert.equal(limit(300), 100));
`;
  const limit = (first: string): Files => ({
    'limit.ts': `export function limit(n: number): number {\n${first}  return n;\n}\n`,
  });
  const options = { module: 'nodenext', target: 'es2022', outDir: 'dist', types: [] };
  const { shown } = await examined(
    {
      'package.json': PACKAGE(TAP),
      'tsconfig.json': JSON.stringify({ compilerOptions: options, include: ['*.ts'] }),
      ...limit(''),
    },
    limit('  if (n > 100) return 100;\n'),
    { 'limit.test.mjs': tests },
    TAP,
    { setup: `${IN_VITEST.setup} && npx tsc -p .`, settings: { mutants: 2 } },
  );
  expect(shown).toEqual({ 'AC-1': 'not-claimed placebo', 'AC-2': 'confirmed' });
});

test.skipIf(NO_PYTEST)(
  'a test that claims nothing and checks the structure of Python code defends no lines',
  {
    timeout: LIMIT_MS,
  },
  async () => {
    const tests = `import ast
from limit import limit
def test_ac1_large_numbers_are_limited():
    assert limit(300) == 100
def test_structure():
    function = ast.parse(open('limit.py').read()).body[0]
    assert len(function.body) == 4
`;
    const limit = (before: string, after: string): Files => ({
      'limit.py': `def limit(n):\n    seen = []\n${before}    small = n\n${after}    return small\n`,
    });
    const { shown, output } = await examined(
      limit('', ''),
      limit('    if n > 100:\n        return 100\n', '    seen.extend([n])\n'),
      { 'test_limit.py': tests.replace('== 4', '== 5') },
      PYTEST,
    );
    expect(shown).toEqual({ 'AC-1': 'confirmed' });
    expect(output.change!.units.map(({ status }) => status)).toEqual(['proven', 'untested']);
  },
);

test('tests that check only that constants exist confirm nothing', { timeout: LIMIT_MS }, async () => {
  const tests = `import { expect, it } from 'vitest';
import * as limits from './limits.ts';
it('AC-1: there is a pattern', () => expect(limits.PATTERN).toBeInstanceOf(RegExp));
it('AC-2: there are names', () => expect(limits.NAMES).toBeDefined());
it('AC-3: it matches', () => expect(limits.PATTERN.test('aaa')).toBe(true));
it('AC-4: they are in order', () => expect(limits.NAMES).toEqual(['a', 'b']));
`;
  const before = 'export const MOST = 100;\n';
  const { shown } = await examined(
    { ...BASE, 'limits.ts': before },
    {
      'limits.ts': `${before}export const PATTERN = /^a+$/;\nexport const NAMES = ['a', 'b'] as const;\n`,
    },
    { 'limits.test.ts': tests },
    VITEST.replace('limit.test.mjs', 'limits.test.ts'),
    { ...IN_VITEST, settings: {} },
  );
  expect(shown).toEqual({
    'AC-1': 'not-claimed kill',
    'AC-2': 'not-claimed kill',
    'AC-3': 'confirmed',
    'AC-4': 'confirmed',
  });
});

test('a test file that needs the source text to load confirms nothing', {
  timeout: LIMIT_MS,
}, async () => {
  const tests = `${IMPORTS}import { readFileSync } from 'node:fs';
const code = readFileSync('limit.mjs', 'utf8').replace(/\\/\\/.*|\\s/g, '');
const [, limited] = /(?<!['"\\x60!])exportconstlimit=n=>\\(n>(\\d+)/.exec(code);
test('AC-1: large numbers are limited', () => assert.equal(limited, '100'));
`;
  const { shown } = await examined(BASE, RIGHT, { 'limit.test.mjs': tests }, TAP);
  expect(shown).toEqual({ 'AC-1': 'not-claimed placebo' });
});

test('a test that reads the text of a new method confirms nothing', { timeout: LIMIT_MS }, async () => {
  const tests = `${IMPORTS.replace('limit }', 'Limit }')}
const code = method => (method ?? '').toString().replace(/\\s/g, '');
test('AC-1: the text', () => assert.ok(code(Limit.prototype.add).includes('this.sum+=n;')));
test('AC-2: numbers are added', () => {
  const limit = new Limit();
  limit.add?.(3);
  assert.equal(limit.sum, 3);
});
`;
  const limit = (method: string): Files => ({
    'limit.mjs': `export class Limit {\n  sum = 0;\n${method}}\n`,
  });
  const { shown } = await examined(
    { ...BASE, ...limit('') },
    limit('  add(n) {\n    if (n === 0) return;\n    this.sum += n;\n  }\n'),
    { 'limit.test.mjs': tests },
    TAP,
  );
  expect(shown).toEqual({ 'AC-1': 'not-claimed kill', 'AC-2': 'confirmed' });
});
