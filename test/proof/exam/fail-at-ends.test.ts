/** Tests that fail in places that they do not reach, such as the body of a loop over problems. */
import { describe, expect, test } from 'vitest';
import { failingVersions } from '../../../src/proof/exam/negation/failing-test-versions.ts';
import { languageOfFile } from '../../../src/proof/exam/syntax/languages.ts';
import { syntaxErrors } from '../../../src/proof/exam/syntax/parse-code.ts';

const negated = (path: string, text: string): string | null => {
  const language = languageOfFile(path)!;
  const version = failingVersions(text, language).negated;
  if (version) expect(syntaxErrors(version.text, language)).toBe(0);
  return version?.text ?? null;
};

describe('a failure is added wherever a test ends', () => {
  const FAIL = "pytest.fail('the test has ended')";
  test.each([
    ['for p in f():', '    pytest.fail(p)'],
    ['if f():', '    g()', 'else:', '    pytest.fail("a")'],
    ['match f():', '    case 1: pass', '    case _: pytest.fail("a")'],
    ['for a in f():', '    if a: break', 'else:', '    pytest.fail("a")  # no a'],
  ])('in Python: %s', (...lines) => {
    const file = (...code: string[]) =>
      `def test_a():\n${code.map(line => `    ${line}\n`).join('')}\ndef g(): pass\n`;
    expect(negated('a.py', file(...lines))).toBe(file(...lines, FAIL));
  });

  test('in Python, before each return', () => {
    const file = (before: string, after: string) =>
      `def test_a():\n    for a in f():\n        if a: ${before}return\n    raise AssertionError("no a")${after}\n`;
    expect(negated('a.py', file('', ''))).toBe(file('raise AssertionError; ', '\n    raise AssertionError'));
    expect(negated('a.py', 'def test_a(): self.fail()\n')).toBe(
      "def test_a(): self.fail(); self.fail('the test has ended')\n",
    );
  });

  test.each([
    'for _, p := range f() { test.Error(p) }',
    'select {\n\tcase <-done:\n\tcase <-time.After(2):\n\t\ttest.Fatal("a")\n\t}',
    'switch f() {\n\tcase 1:\n\tdefault:\n\t\ttest.Errorf("a")\n\t}',
    'check := func(n int) { test.Error(n) }; check(1)',
  ])('in Go: %s', code => {
    const file = (end: string) => `package a\n\nfunc TestA(test *testing.T) {\n\t${code}\n${end}}\n`;
    expect(negated('a_test.go', file(''))).toBe(file('\ntest.Fail()\n'));
  });

  test('in Go, before each return of the function that receives the `*testing.T`', () => {
    const file = (before: string, after: string, end: string) =>
      `package a\n\nfunc TestA(t *testing.T) {\n\tt.Run("a", func(t *testing.T) {\n\t\tfor _, p := range f() {\n\t\t\t${before}return${after}\n\t\t}\n\t\tt.Fatal("a")\n\t${end}})\n}\n`;
    expect(negated('a_test.go', file('', '', ''))).toBe(file('{ t.Fail(); ', ' }', '\nt.Fail()\n'));
  });

  test.each([
    ["for (const p of f()) assert.fail('a');", "assert.fail('the test has ended')"],
    ["for (const p of f()) { throw new Error('a'); }", "throw new Error('the test has ended')"],
  ])('in JavaScript: %s', (code, failure) => {
    const file = (end: string) => `test('a', () => { ${code} ${end}});\n`;
    expect(negated('a.mjs', file(''))).toBe(file(`\n${failure}\n`));
  });
});

test.each([
  ['a.py', 'def test_a():\n    try:\n        f()\n    except ValueError:\n        pytest.fail("a")\n'],
  ['a.mjs', "test('a', () => { try { f(); } catch { assert.fail('a'); } });\n"],
  ['a.mjs', "test('a', () => f().catch(() => { assert.fail('a'); }));\n"],
  ['a.mjs', "test('a', () => { f(() => { throw new Error('a'); }); });\n"],
  ['a.py', 'def test_a():\n    def g(): raise ValueError\n    f(g)\n'],
  ['a.mjs', "function f() { throw new Error('a'); }\n"],
])(
  'no failure is added to a test that only reports a crash, or to a function that a test passes to the code: %s: %s',
  (path, code) => {
    expect(negated(path, code)).toBeNull();
  },
);
