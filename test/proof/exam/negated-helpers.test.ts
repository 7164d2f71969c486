/** Tests whose assertions are in a helper, which the exam negates if the result does not change it. */
import { describe, expect, test } from 'vitest';
import { negatedHelpers } from '../../../src/proof/exam/negation/negated-helpers.ts';
import { project } from '../sealed-project.ts';
import { testFile } from './test-file.ts';
import { CHECK, TEST, THROWS } from './tests-with-helpers.ts';

/** The texts of the changed helpers, in each version. */
async function changed(
  base: Record<string, string>,
  result: Record<string, string>,
  tests: Record<string, string>,
) {
  const { job } = await project({ 'limit.mjs': 'export const limit = n => n;\n', ...base });
  const { job: proof } = await job(result, tests, 'node --test test');
  const files = Object.entries(tests).map(([path, text]) => testFile(path, text));
  const found = await negatedHelpers(proof, files);
  return found.map(edits => Object.fromEntries([...edits].map(([path, text]) => [path, text.toString()])));
}

describe('the assertions of a helper are negated', () => {
  test('if a test imports it, whether they are calls or thrown errors', async () => {
    const tests = { 'test/limit.test.mjs': TEST };
    expect(await changed({ 'test/check.mjs': CHECK }, {}, tests)).toEqual([
      { 'test/check.mjs': expect.stringContaining('function other(') },
    ]);
    expect(await changed({ 'test/check.mjs': THROWS }, {}, tests)).toEqual([
      { 'test/check.mjs': expect.stringContaining('!(limit(value) !== limited)') },
    ]);
  });

  test('in conftest.py, which pytest loads, and in a file of the same Go package', async () => {
    const conftest = 'def check(value, limited):\n    assert value == limited\n';
    const python = { 'tests/test_limit.py': 'def test_limit(check):\n    check(300, 100)\n' };
    expect(await changed({ 'tests/conftest.py': conftest }, {}, python)).toMatchObject([
      { 'tests/conftest.py': expect.any(String) },
    ]);
    const helper =
      'package limit\n\nimport "testing"\n\nfunc check(t *testing.T, v, l int) {\n\tif v != l {\n\t\tt.Error(v)\n\t}\n}\n';
    const go = {
      'limit_test.go':
        'package limit\n\nimport "testing"\n\nfunc TestLimit(t *testing.T) { check(t, 300, 100) }\n',
    };
    expect(await changed({ 'helpers_test.go': helper }, {}, go)).toContainEqual({
      'helpers_test.go': expect.any(String),
    });
  });

  test('but not if no test imports it, if it has tests, or if the result changes it', async () => {
    const tests = { 'test/limit.test.mjs': TEST };
    expect(await changed({ 'test/other.mjs': CHECK }, {}, tests)).toEqual([]);
    const withTest = `import test from 'node:test';\n${CHECK}test('a check', () => check(n => n, [[1, 1]]));\n`;
    expect(await changed({ 'test/check.mjs': withTest }, {}, tests)).toEqual([]);
    expect(await changed({ 'test/check.mjs': THROWS }, { 'test/check.mjs': CHECK }, tests)).toEqual([]);
  });
});
