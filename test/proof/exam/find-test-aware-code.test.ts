import { expect, test } from 'vitest';
import { findTestDetection } from '../../../src/proof/exam/find-test-aware-code.ts';
import { sample } from './sample-repository.ts';

async function found(path: string, ...added: readonly string[]): Promise<string | null> {
  const kept = 'import assert from "node:assert";\n';
  const made = await sample({ [path]: kept }, { [path]: `${kept}${added.join('\n')}\n` });
  return findTestDetection(await made.change());
}

test.each([
  ['a.js', 'if (process.env.NODE_TEST_CONTEXT) return 1;'],
  ['a.ts', "const isTest = process.env['NODE_ENV'] === 'test';"],
  ['a.ts', "import { test } from 'node:test';"],
  ['a.cjs', "const { expect } = require('vitest');"],
  ['a.mjs', "const { test } = await import('node:test');"],
  ['a.py', 'if "pytest" in sys.modules:'],
  ['a.py', 'if sys.modules.get("pytest"):'],
  ['a.py', 'if "pytest" in sys.argv[0]:'],
  ['a.py', "tests = list(Path('.').glob('test_*.py'))"],
  ['a.js', "if (process.argv[1].includes('.test.')) return 1;"],
  ['a.js', 'if (/\\.test\\./.test(process.argv[1])) return 1;'],
  ['a.js', "if (Object.keys(process.env).some(name => name.startsWith('NODE_TEST'))) return 1;"],
  ['a.js', "if (existsSync('a.test.mjs')) return 1;"],
  ['a.py', 'from _pytest.python import Function'],
  ['a.py', 'names = sys._getframe(1).f_locals'],
  ['a.go', 'if testing.Testing() {'],
  ['a.js', "if (`\x24{process.env.VITEST}` === 'true') return 1;"],
  ['a.go', 'if flag.Lookup("test.v") != nil {'],
  ['a.go', 'if strings.HasSuffix(os.Args[0], ".test") {'],
  ['a.go', 'if flag.CommandLine.Lookup("test.v") != nil {'],
  ['a.go', 'if strings.HasPrefix(os.Args[1], "-test.v") {'],
  ['a.go', 'if strings.Contains(string(debug.Stack()), "testing.tRunner") {'],
  ['a.py', 'if any(f.filename == __file__ for f in traceback.extract_stack()):'],
  ['a.py', 'if "unittest" in sys.modules:'],
  ['a.js', "if (typeof describe === 'function') return 1;"],
  ['a.js', 'if (globalThis.jest) return 1;'],
  ['a.js', "if (process.execArgv.includes('--test')) return 1;"],
  ['a.js', 'if (/test/i.test(new Error().stack)) return 1;'],
  ['a.js', "if (Object.assign(new TypeError('a'), {}).stack.includes('test')) return 1;"],
  ['a.js', "const { stack } = new Error(); if (stack.includes('test')) return 1;"],
  ['a.js', "const e = new Error('a'); if (e.stack.includes('test')) return 1;"],
  ['a.js', "Error.captureStackTrace(this); if (this.stack.includes('test')) return 1;"],
  ['a.js', 'if (process.env.AVA_PATH) return 1;'],
  ['a.js', "if (typeof jest !== 'undefined') return 1;"],
  ['a.js', 'if (globalThis.describe) return 1;'],
])('code that detects tests is reported in %s: %s', async (path, line) => {
  expect(await found(path, 'const one = 1;', line)).toBe(`${path}:3`);
});

test.each([
  ['a.js', "import { test } from './test.js';"],
  ['a.js', 'assert.ok(context);'],
  ['a.js', "try { f(); } catch (e) { print(e.stack, 'test'); }"],
  ['a.js', "this.stack.push('test'); throw new Error('test');"],
  ['a.py', 'latest = modules["pytest-like"]'],
  ['a.py', 'import unittests_of_mine'],
  ['a.js', "const latest = 'speed test of a.latest';"],
  ['a.js', "// NODE_TEST_CONTEXT, and imports from 'vitest'"],
  ['a.js', "const template = `import { test } from 'vitest';`;"],
  ['a.py', '"""Runs test_*.py with\n\nimport unittest\n"""'],
  ['a.js', 'if (process.argv[1] === fileURLToPath(import.meta.url)) main();'],
  ['a.js', 'if (/a+/.test(text)) return 1;'],
  ['a.js', "if (typeof test === 'function' && typeof it === 'string') return describe(globalThis.it);"],
  ['a.js', 'const path = "pod.spec.containers", url = "https://api.test/x";'],
  ['a.py', 'print("usage:", sys.argv[0])'],
  ['a.go', 'fmt.Fprintf(os.Stderr, "usage: %s", os.Args[0])'],
  ['a.test.js', "import { test } from 'node:test';"],
  ['a.js', "log(new Error('latest').stack);"],
  ['a.js', 'send(new Error().stack); // in a test, too'],
  ['a.js', "if (process.argv.includes('--test')) runTests();"],
  ['a.js', "if (typeof schema.describe === 'function') schema.describe();"],
  ['a.py', 'yaml = sys.modules.get("yaml")'],
  ['a.go', '_, file, line, _ := runtime.Caller(1)'],
])('code that does not detect tests is not reported in %s: %s', async (path, line) => {
  expect(await found(path, line)).toBeNull();
});

test('a lookup of the caller is reported even if the string that identifies a test is on another line', async () => {
  expect(
    await found('a.go', 'name := caller(runtime.Caller(1))', 'if strings.HasPrefix(name, "Test") {'),
  ).toBe('a.go:2');
});

test('unchanged lines that detect tests are not reported', async () => {
  const before = "import { test } from 'node:test';\n";
  const made = await sample({ 'a.js': before }, { 'a.js': `${before}f();\n` });
  expect(findTestDetection(await made.change())).toBeNull();
});
