import { expect, test } from 'vitest';
import { failingVersions } from '../../../src/proof/exam/negation/failing-test-versions.ts';
import { languageOfFile } from '../../../src/proof/exam/syntax/languages.ts';
import { hasTitle, testTitles } from '../../../src/proof/exam/syntax/test-titles.ts';
import { shortened } from './shortened.ts';

const versionsOf = (path: string, body: string) => failingVersions(body, languageOfFile(path)!);
const negated = (path: string, body: string) => {
  const { altered } = versionsOf(path, body);
  return altered && { ...altered, text: shortened(altered.text, path) };
};
const inTest = (body: string) => `test('AC-1: a', async t => { ${body} });\n`;

test.each([
  ['assert.equal(f(1), b);', 'assert.equal(f(1), other(b));'],
  ['assert.strict.notDeepEqual(a, b);', 'assert.strict.deepEqual(a, b);'],
  ["require('assert').equal(f(1), b);", "require('assert').equal(f(1), other(b));"],
  ["require('assert').notEqual(a, b);", "require('assert').equal(a, b);"],
  ['t.equal(a, null);', 't.equal(a, other(null));'],
  ['assert.equal(b, f(1));', 'assert.equal(other(b), f(1));'],
  ["assert.ok(a || b, 'm');", "void (value => assert.ok(!value))(a || b, 'm');"],
  ['assert(a);', 'void (value => assert(!value))(a);'],
  [
    'await assert.rejects(async () => assert.ok(1));',
    'await assert.doesNotReject(async () => assert.ok(1));',
  ],
  ['expect(f(1)).toBe(b);', 'expect(f(1)).toBe(other(b));'],
  ['expect(f(1)).toEqual(expect.any(A));', 'expect(f(1)).not.toEqual(expect.any(A));'],
  ['expect(f(1)).not.toEqual(2);', 'expect(f(1)).toEqual(2);'],
  ['await expect(p).resolves.toEqual({ a });', 'await expect(p).resolves.toEqual(other({ a }));'],
  ['expect(a).to.be.equal(b);', 'expect(a).to.be.equal(other(b));'],
  ['expect(a).to.be.above(b);', 'expect(a).to.not.be.above(b);'],
])('JavaScript assertions are negated: %s', (code, expected) => {
  expect(negated('a.mjs', inTest(code))).toEqual({ text: inTest(expected), titles: ['AC-1: a'] });
});

const testIn = (name: string, body: string) => `import test from '${name}';\n${inTest(body)}`;

test.each([
  ['t.is(f(1), b);', 't.is(f(1), other(b));'],
  ["t.notDeepEqual(a, b, 'm');", "t.deepEqual(a, b, 'm');"],
  ['t.true(a);', 't.false(a);'],
  ['t.truthy(a);', 't.falsy(a);'],
  ['t.regex(a, /b/);', 't.notRegex(a, /b/);'],
  ["t.throws(() => f(1), { message: 'a' }, 'm');", 't.notThrows(() => f(1));'],
  ['await t.throwsAsync(f(1));', 'await t.notThrowsAsync(f(1));'],
  ["t.notThrows(() => f(1), 'm');", 't.throws(() => f(1));'],
])('AVA assertions are negated: %s', (code, expected) => {
  expect(negated('a.mjs', testIn('ava', code))).toEqual({
    text: testIn('ava', expected),
    titles: ['AC-1: a'],
  });
});

test.each([
  ['t.throws(() => f(1), /a/);', 't.doesNotThrow(() => f(1), /a/);'],
  ["t.ok(a, 'm');", "t.notOk(a, 'm');"],
  ['t.isNot(a, b);', 't.is(a, b);'],
])('tape assertions are negated: %s', (code, expected) => {
  expect(negated('a.mjs', testIn('tape', code))!.text).toBe(testIn('tape', expected));
});

test.each([
  ['tap', 'child.strictSame(f(1), b);', 'child.strictSame(f(1), other(b));'],
  ['tap', 'child.strictNotSame(f(1), b);', 'child.strictSame(f(1), b);'],
  ['tap', 'child.ok(f(1));', 'child.notOk(f(1));'],
  ['ava', 'child.truthy(f(1));', 'child.falsy(f(1));'],
])('the object that a test receives may have any name: %s: %s', (name, code, expected) => {
  const testOf = (body: string) => `import test from '${name}';\ntest('a', async child => { ${body} });\n`;
  expect(negated('a.mjs', testOf(code))?.text).toBe(testOf(expected));
});

test('nested tests and tests defined by calling `tape` are recognized', () => {
  const code = `tape('AC-1: a', t => { t.test('AC-2: b', st => { st.equal(f(1), 2); }); });`;
  expect(negated('a.cjs', code)!.titles).toEqual(['AC-2: b', 'AC-1: a']);
});

test.each([
  'await vi.waitFor(() => expect(a).toBeTruthy());',
  'await expect.poll(() => a).toBeTruthy();',
  'check(a, 2);',
])('nothing is negated in: %s', code => {
  expect(negated('a.mjs', inTest(code))).toBeNull();
});

test('assertions in Python are negated', () => {
  const code = (a: string, b: string) =>
    `def test_ac1_a():\n    ${a}, 'm'\nclass T(TestCase):\n    def test_b(self):\n        ${b}(f(1), b)\n`;
  expect(negated('a.py', code('assert f(1) == b', 'self.assertEqual'))).toEqual({
    text: code('assert f(1) == other(b)', 'self.assertEqual').replace('f(1), b)', 'f(1), other(b))'),
    titles: ['test_ac1_a', 'test_b'],
  });
});

test.each([
  ['assert f(1) == approx(5, abs=2)', 'assert not (f(1) == approx(5, abs=2))'],
  ['assert pytest.approx(b, rel=0.1) == a', 'assert not (pytest.approx(b, rel=0.1) == a)'],
  ['self.assertAlmostEqual(a, 5, delta=2)', 'self.assertNotAlmostEqual(a, 5, delta=2)'],
  ['self.assertAlmostEqual(a, b)', 'self.assertAlmostEqual(a, other(b))'],
])('an expected value is not altered if the assertion specifies a tolerance: %s', (code, expected) => {
  const body = (line: string) => `class T(TestCase):\n    def test_a(self):\n        ${line}\n`;
  expect(negated('a.py', body(code))!.text).toBe(body(expected));
});

test('assertions in Go are negated', () => {
  const code = (a: string, b: string, c: string) =>
    `package a\nfunc TestAC1(t *testing.T) {\n\tif got := F(1); ${a} {\n\t\tt.Errorf("x")\n\t}\n\tif b {\n\t\tg()\n\t}\n\t${b}(t, a, F(1))\n\tt.Run("x", func(t *testing.T) { if ${c} { t.Fatal("x") } })\n}\n`;
  expect(negated('a_test.go', code('got != want', 'assert.Equal', '!ok'))).toEqual({
    text: code('!(got != want)', 'assert.NotEqual', '!(!ok)'),
    titles: ['TestAC1'],
  });
});

test.each([
  ['if got != want { t.Log("x"); t.Fail() }', 'if !(got != want) { t.Log("x"); t.Fail() }'],
  [
    'switch {\n\tcase got != "a":\n\t\ttb.Errorf("x")\n\t}',
    'switch {\n\tcase got != "b":\n\t\ttb.Errorf("x")\n\t}',
  ],
  [
    'ok := false\n\tfor range x {\n\t}\n\tif !ok { t.Fatal() }',
    'ok := false\n\tfor range x {\n\t}\n\tif !(!ok) { t.Fatal() }',
  ],
])('conditions under which a Go test fails are negated: %s', (code, expected) => {
  const file = (line: string) => `package a\nfunc TestA(t *testing.T) {\n\t${line}\n}\n`;
  expect(negated('a_test.go', file(code))?.text).toBe(file(expected));
});

test('in Go, a parameter whose type is from `testing` may have any name', () => {
  const code = (a: string) =>
    `package a\nfunc TestA(test *testing.T) {\n\tif ${a} { test.Error() }\n\tif err { err.Error() }\n}\n`;
  expect(negated('a_test.go', code('!ok'))?.text).toBe(code('!(!ok)'));
});

test('in Go, a failure that is reported unconditionally is not negated', () => {
  const body = 'func TestAC1(t *testing.T) {\n\tdefer t.Error("x")\n\tassert.Equal(t, a, F(1))\n}\n';
  expect(negated('a_test.go', body)!.text).toBe(body.replace('Equal', 'NotEqual'));
});

test.each([
  ["assert.equal(f('a b'), 'a-b', 'ok');", "assert.equal(f('a b'), 'a-c', 'ok');"],
  [
    "assert.deepEqual(f(1), { a: ['x'], b: -29, c: true });",
    "assert.deepEqual(f(1), { a: ['x'], b: -29, c: false });",
  ],
  ["assert.strictEqual('', f(1));", "assert.strictEqual('k', f(1));"],
  ["expect(f('a')).toBe('\\n');", "expect(f('a')).toBe('\\nk');"],
  ['expect(f(1)).toHaveLength(9);', 'expect(f(1)).toHaveLength(8);'],
  ['assert.ok(a); assert.equal(f(1), 0.5);', 'assert.ok(a); assert.equal(f(1), 1.5);'],
  ["assert.equal(f('a'), g('b'));", "assert.equal(f('a'), other(g('b')));"],
  ['assert.equal(f(1), a || 1);', 'assert.equal(f(1), other(a || 1));'],
])('an expected literal is altered: %s', (code, expected) => {
  expect(negated('a.mjs', inTest(code))!.text).toBe(inTest(expected));
});

test('expected literals are altered in Python and Go', () => {
  const python = (a: string, b: string) =>
    `def test_a():\n    assert f("a") == ${a}\n    self.assertEqual(f(1), ${b})\n    assert f\n`;
  expect(negated('a.py', python(`("a", b'z')`, '[True, None]'))!.text).toBe(
    python(`("a", b'y')`, '[False, None]'),
  );
  const go = (a: string, b: string) =>
    `package a\nfunc TestA(t *testing.T) {\n\tif got := F("a"); got != ${a} {\n\t\tt.Errorf("x")\n\t}\n\tassert.Equal(t, ${b}, F(1))\n}\n`;
  expect(negated('a_test.go', go('"a"', '[]int{10, x}'))!.text).toBe(go('"b"', '[]int{20, x}'));
});

test('in Go, a condition that does not fail the test is not altered', () => {
  const body = (want: string) =>
    `func TestA(t *testing.T) {\n\tif runtime.GOOS != "linux" {\n\t\tt.Skip()\n\t}\n\tif f() != ${want} {\n\t\tt.Error()\n\t}\n}\n`;
  expect(negated('a_test.go', body('2'))!.text).toBe(body('3'));
});

test('the assertions of each subtest are negated separately', () => {
  const node = (a: string, b: string) =>
    inTest(`assert.equal(f(1), ${a}); await t.test('AC-2: b', () => assert.${b});`);
  expect(negated('a.mjs', node('2', 'equal(f(1), x)'))!.text).toBe(node('3', 'equal(f(1), other(x))'));
  const go = (a: string, b: string) =>
    `package a\nfunc TestA(t *testing.T) {\n\tt.Run("a", func(t *testing.T) { if f() != ${a} { t.Error() } })\n\tt.Run("b", func(t *testing.T) { if ${b} { t.Error() } })\n}\n`;
  expect(negated('a_test.go', go('2', '!ok'))!.text).toBe(go('3', '!(!ok)'));
});

test('the exception that a test expects is replaced with another one', () => {
  const code = (call: string) => `def test_a():\n    with ${call} as e:\n        f()\n`;
  expect(negated('a.py', code('pytest.raises(ValueError, match="x")'))).toEqual({
    text: code('pytest.raises(type("Other", (Exception,), {}), match="x")'),
    titles: ['test_a'],
  });
});

test.each([
  ["import { equal } from 'node:assert/strict';", 'equal(f(1), 2);', 'equal(f(1), 3);'],
  [
    "import { equal as same, ok } from 'node:assert';",
    'ok(same(f(1), 2));',
    'void (value => ok(!value))(same(f(1), 2));',
  ],
  ["const { deepEqual: same } = require('assert');", 'same(f(1), [2]);', 'same(f(1), [3]);'],
  ["import check from 'node:assert';", 'check.throws(f);', 'check.doesNotThrow(f);'],
  [
    "import * as check from 'uvu/assert';",
    'check.type(f(), a); check.ok(a);',
    'check.not.type(f(), a); void (value => check.ok(!value))(a);',
  ],
  ["import { expect } from 'chai';", 'expect(a).to.be.true;', 'expect(a).to.not.be.true;'],
  ["import 'should';", 'a.should.be.ok(); f().should.equal(2);', 'a.should.be.ok(); f().should.equal(3);'],
  [
    "import request from 'supertest';",
    "await request(app).get('/').expect(200);",
    "await request(app).get('/').expect(300);",
  ],
  [
    "import { vi } from 'vitest';",
    'await vi.waitFor(() => expect(a).toBe(1));',
    'await vi.waitFor(() => expect(a).toBe(2));',
  ],
])('assertions are recognized by the names they are imported under: %s', (line, code, expected) => {
  expect(negated('a.mjs', `${line}\n${inTest(code)}`)?.text).toBe(`${line}\n${inTest(expected)}`);
});

test('the opposite of an assertion that is imported by name is imported too', () => {
  const code = "import { throws } from 'node:assert';\ntest('a', () => { throws(f); throws(g); });\n";
  expect(negated('a.mjs', code)!.text).toBe(
    "import { throws } from 'node:assert'; import * as otherAssertions from 'node:assert';\ntest('a', () => { otherAssertions.doesNotThrow(f); otherAssertions.doesNotThrow(g); });\n",
  );
});

test.each([
  ['raises(ValueError, f, 1)', 'raises(type("Other", (Exception,), {}), f, 1)'],
  ['m.assert_called_once()', 'm.assert_not_called()'],
  ['m.assert_called_with(1, x)', 'm.assert_called_with(2, x)'],
  ['m.assert_called_with(x)', 'm.assert_not_called()'],
  ['assert f(1) == pytest.approx(x)', 'assert not (f(1) == pytest.approx(x))'],
  ['np.testing.assert_array_equal(f(1), [2, 3])', 'np.testing.assert_array_equal(f(1), [2, 4])'],
  ['assert f(1) == {6, 7}', 'assert f(1) == {6, 6}'],
  ['self.assertCountEqual(f(1), [True, False])', 'self.assertCountEqual(f(1), [True, True])'],
  ['self.assertListEqual(f(1), x)', 'self.assertListEqual(f(1), other(x))'],
  ['assert x == f(1)', 'assert other(x) == f(1)'],
  ['self.assertGreater(f(1), x)', 'self.assertLessEqual(f(1), x)'],
  ['assert f(1) == 0b101', 'assert f(1) == 0b100'],
  ['m.assert_awaited_once_with(1, x)', 'm.assert_awaited_once_with(2, x)'],
  ['m.assert_not_awaited()', 'm.assert_awaited()'],
  ['case.assertTrue(f(1))', 'case.assertFalse(f(1))'],
  ['self.case.assertEqual(f(1), 2)', 'self.case.assertEqual(f(1), 3)'],
  ['with self.assertLogs("a"): f(1)', 'with self.assertNoLogs("a"): f(1)'],
  [
    'with pytest.deprecated_call(): f(1)',
    'with __import__("pytest").warns(type("Other", (Warning,), {}), ): f(1)',
  ],
  ['recwarn.pop(UserWarning)', 'recwarn.pop(type("Other", (Warning,), {}))'],
])('Python assertions are negated: %s', (code, expected) => {
  const file = (line: string) => `from pytest import raises\ndef test_a(m):\n    ${line}\n`;
  expect(negated('a.py', file(code))?.text).toBe(file(expected));
});

test('one version of a test fails on reaching an altered assertion; another negates assertions and conditions under which the test throws', () => {
  const node = versionsOf(
    'a.mjs',
    inTest("if (a) assert.throws(f); else assert.equal(f(), 'b'); if (b) throw new Error();"),
  );
  expect(node.reached!.text).toBe(
    inTest(
      "if (a) assert.throws(f); else void (() => { throw new Error('reached'); })(); if (b) throw new Error();",
    ),
  );
  expect(node.negated!.text).toBe(
    inTest("if (a) assert.doesNotThrow(f); else assert.equal(f(), 'b'); if (!(b)) throw new Error();"),
  );
  const python = versionsOf(
    'a.py',
    'def test_a():\n    if f() != 2:\n        pytest.fail("x")\n    assert f\n',
  );
  expect(python.reached!.text).toContain('    assert 1 / 0\n');
  expect(python.negated!.text).toContain(
    '    if not (f() != 2):\n        pytest.fail("x")\n    assert not (f)\n',
  );
  const go = versionsOf(
    'a_test.go',
    'package a\nfunc TestA(t *testing.T) {\n\tif got != 2 { t.Error() }\n}\n',
  );
  expect(go.reached!.text).toContain('if true || (got != 2) { t.Error() }');
});

test.each([
  ['if (a) return done(new Error(b));', 'if (!(a)) return done(new Error(b));'],
  ['done(a ? null : new RangeError(b));', 'done(!(a) ? null : new RangeError(b));'],
])('a condition under which an error is passed to a callback is negated: %s', (code, expected) => {
  expect(versionsOf('a.mjs', inTest(code)).negated!.text).toBe(inTest(expected));
});

test('assertions in helpers are negated, but not those outside functions', () => {
  const helper = 'export const same = (a, b) => assert.equal(a, b);\nassert.ok(f);\n';
  expect(negated('helper.mjs', helper)).toEqual({
    text: helper.replace('a, b);', 'a, other(b));'),
    titles: [],
  });
});

test('a test is recognized by the end of its id', () => {
  const isKnown = (id: string) => hasTitle(id, ['AC-1: a', 'TestAC1', 'test_ac1']);
  expect(['a.mjs::group > AC-1: a', 'pkg › TestAC1/sub', 'a.py::test_ac1[2-x]'].map(isKnown)).toEqual([
    true,
    true,
    true,
  ]);
  expect(isKnown('AC-1: a and b')).toBe(false);
});

test.each([
  [String.raw`'AC-1: doesn\'t serve'`, "a.mjs::AC-1: doesn't serve"],
  [`\`AC-1: refuses \${all({ n })} times\``, 'limits > AC-1: refuses 61 times'],
  ["'AC-1: refuses ' + n", 'AC-1: refuses 61'],
  ["'AC-1: a  b'", 'AC-1: a b #2'],
  [String.raw`'AC-1: \u{e9}t\xe9'`, 'AC-1: été'],
])('a title is recognized in the form in which the runner reports it: %s', (title, id) => {
  const titles = negated('a.mjs', `test(${title}, () => assert.equal(1, 1));`)!.titles;
  expect(hasTitle(id, titles)).toBe(true);
  expect(hasTitle('AC-2: other', titles)).toBe(false);
});

test.each([
  ["it.each([61])('AC-1: refuses %i', n => expect(n).toBe(1));", 'AC-1: refuses 61'],
  [`test.each\`n\n\${61}\`('AC-1: refuses $n', ({ n }) => expect(n).toBe(1));`, 'AC-1: refuses 61'],
])('the title of a table-driven test is recognized: %s', (code, id) => {
  expect(hasTitle(id, negated('a.mjs', code)!.titles)).toBe(true);
});

test('a test whose assertions are not negated is not mistaken for one with parameters in its title', () => {
  const code = `test(\`AC-1: \${n}\`, () => assert.ok(n)); test('AC-1: waits', () => check());`;
  const { titles } = negated('a.mjs', code)!;
  const others = testTitles(code, languageOfFile('a.mjs')!).filter(title => !titles.includes(title));
  expect(others).toEqual(['AC-1: waits']);
  expect(hasTitle('AC-1: waits', titles, others)).toBe(false);
  expect(hasTitle('AC-1: 61', titles, others)).toBe(true);
  expect(hasTitle('any', [`\${name}`])).toBe(false);
  expect(hasTitle('test_ok (__main__.A.test_ok)', ['test_ok'])).toBe(true);
});
