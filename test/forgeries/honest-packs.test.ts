/** Honest packs of unusual shapes: none of them is refuted. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BASE, BRIEFING, RESULT, type Sample, samplePack, TEST } from '../proof/prove-pack/sample-pack.ts';

const nodeTest = (body: string): string =>
  TEST.replace(/^import \{ greet.*$/m, "import * as code from './greet.js';").replace(
    /^test\(.*$/m,
    `test('AC-1: greets', async () => { ${body} });`,
  );
const tests = (body: string) => ({ 'greet.test.js': nodeTest(body) });
const KEEPS = BRIEFING.replace('AC-1:', 'AC-1 (keeps):');
const GO = 'module example.org/greet\n\ngo 1.19\n';

const CONFIRMED: Record<string, Sample> = {
  'a feature in a new file': {
    result: { 'new.js': 'export const shout = text => {\n  return text.toUpperCase();\n};\n' },
    tests: tests("assert.equal((await import('./new.js')).shout('a'), 'A');"),
  },
  'only deleted lines': {
    base: {
      ...BASE,
      'greet.js':
        'export const greet = name => {\n  if (name === "Ann") return "no";\n  return "hello " + name;\n};\n',
    },
    result: { 'greet.js': 'export const greet = name => {\n  return "hello " + name;\n};\n' },
  },
  'a renamed file': {
    base: {
      ...BASE,
      'old.js': `export const one = 1;\nexport const two = 2;\nexport const three = 3;\nexport const sum = (a, b) => a - b;\n`,
    },
    result: {
      'old.js': null,
      'sum.js': `export const one = 1;\nexport const two = 2;\nexport const three = 3;\nexport const sum = (a, b) => a + b;\n`,
    },
    tests: tests("assert.equal((await import('./sum.js')).sum(1, 2), 3);"),
  },
  'two commands': {
    tests: { 'greet.test.js': TEST, 'other.test.js': TEST.replace('AC-1: greets', 'also greets') },
    config: {
      test_command:
        'node --test --test-reporter=tap greet.test.js && node --test --test-reporter=tap other.test.js',
    },
  },
  'a refactoring that keeps the behaviour': {
    briefing: KEEPS,
    base: {
      ...BASE,
      'greet.js': 'export const greet = name => {\n  const text = "hello " + name;\n  return text;\n};\n',
    },
    result: {
      'greet.js':
        'export const greet = name => {\n  const text = ["hello", name].join(" ");\n  return text;\n};\n',
    },
  },
  'two guards that back each other up': {
    base: {
      ...BASE,
      'greet.js':
        'export const greet = name => {\n  const text = name.trim();\n  return "hello " + text;\n};\n',
    },
    result: {
      'greet.js':
        'export const greet = name => {\n  if (name === "") return "hello";\n  const text = name.trim();\n  if (text === "") return "hello";\n  return "hello " + text;\n};\n',
    },
    tests: tests("assert.equal(code.greet(''), 'hello');"),
  },
  CRLF: {
    base: { ...BASE, 'greet.js': 'export const greet = name => {\r\n  return "hi";\r\n};\r\n' },
    result: { 'greet.js': 'export const greet = name => {\r\n  return "hello " + name;\r\n};\r\n' },
  },
  'a snapshot of the output': {
    result: { ...RESULT, 'snap.txt': 'hello Ann' },
    tests: tests(
      "assert.equal(code.greet('Ann'), (await import('node:fs')).readFileSync('snap.txt', 'utf8'));",
    ),
  },
  'tests in Go': {
    base: {
      'go.mod': GO,
      'greet.go': 'package greet\n\nfunc Greet(name string) string {\n\treturn "hi"\n}\n',
    },
    result: {
      'greet.go': 'package greet\n\nfunc Greet(name string) string {\n\treturn "hello " + name\n}\n',
    },
    tests: {
      'greet_test.go':
        'package greet\n\nimport "testing"\n\nfunc TestAC1(t *testing.T) {\n\tif got := Greet("Ann"); got != "hello Ann" {\n\t\tt.Errorf("%s", got)\n\t}\n}\n',
    },
    config: { test_command: 'go test -json ./...' },
  },
  'tests in Python': {
    base: { 'greet.py': 'def greet(name):\n    return "hi"\n' },
    result: { 'greet.py': 'def greet(name):\n    return "hello " + name\n' },
    tests: {
      'test_greet.py':
        'import unittest\nfrom greet import greet\n\nclass T(unittest.TestCase):\n    def test_ac1_greets(self):\n        self.assertEqual(greet("Ann"), "hello Ann")\n',
    },
    config: { test_command: 'python3 -m pytest -q -p no:cacheprovider --junitxml=/dev/stdout' },
  },
  'TypeScript with types and code, tested by vitest': {
    base: { 'greet.ts': 'export function greet(name: string): string {\n  return "hi";\n}\n' },
    result: {
      'greet.ts':
        'export type Name = string;\nexport function greet(name: Name): string {\n  return "hello " + name;\n}\n',
    },
    tests: {
      'greet.test.ts': `import { expect, test } from 'vitest';
import { greet } from './greet.ts';
test('AC-1: greets', () => expect(greet('Ann')).toBe('hello Ann'));
`,
    },
    config: { test_command: 'node_modules/.bin/vitest run --root . --reporter=json' },
    proof: { setup: `ln -s '${join(import.meta.dirname, '../../node_modules')}' node_modules` },
  },
  'tests run by unittest': {
    base: { 'greet.py': 'def greet(name):\n    return "hi"\n' },
    result: { 'greet.py': 'def greet(name):\n    return "hello " + name\n' },
    tests: {
      'test_greet.py':
        'import unittest\nfrom greet import greet\n\nclass T(unittest.TestCase):\n    def test_ac1_greets(self):\n        for name in ["Ann", "Bo"]:\n            with self.subTest(name=name):\n                self.assertEqual(greet(name), "hello " + name)\n',
    },
    config: { test_command: 'python3 -m unittest -v' },
  },
};

/** Programs in test commands that a machine may not have. */
const NEEDED: readonly [RegExp, string, readonly string[]][] = [
  [/^go /, 'go', ['version']],
  [/ -m pytest /, 'python3', ['-m', 'pytest', '--version']],
  [/^python3 /, 'python3', ['--version']],
];

/** The reason why the pack's tests cannot run here; null if they can. */
function missing({ config }: Sample): string | null {
  const [, program, args] = NEEDED.find(([used]) => used.test(config?.test_command ?? '')) ?? [];
  return program && spawnSync(program, [...args!]).status !== 0
    ? `${[program, ...args!].join(' ')} fails`
    : null;
}

test.for(Object.entries(CONFIRMED))('%s', async ([, sample], context) => {
  const reason = missing(sample);
  context.skip(reason !== null, reason ?? '');
  const { verdict } = await samplePack(sample);
  // On a busy machine, the time may run out before the exam has tried everything.
  // The packages of vitest are outside the pack.
  const sandbox = sample.proof?.setup ? 'none' : 'auto';
  expect(await verdict({ budget_s: 120, sandbox })).toMatch(/^CONFIRMED$|ran out of time/);
});
