/** Files in which only some tests are kept. */
import { expect, test } from 'vitest';
import { languageOfFile } from '../../../src/proof/exam/syntax/languages.ts';
import { removeOtherTests } from '../../../src/proof/exam/syntax/remove-other-tests.ts';

const kept = (path: string, text: string, ...ids: string[]): string =>
  removeOtherTests(text, languageOfFile(path)!, ids)
    .replace(/\n\s*\n+/g, '\n')
    .trim();

test('JavaScript: unselected tests are removed, with the groups, declarations and imports that only they need', () => {
  const text = `import assert from 'node:assert';
import { describe, test } from 'node:test';
import './set-up.mjs';
import { unused } from './unused.mjs';
import old, { kept as keep, word, type } from './old.mjs';
import * as words from './words.mjs';
const { count } = require('./count.cjs');
const limiter = new words.Limiter();
function helper(n) { return n > 1 ? helper(n - 1) : limiter.run(n); }
const n = 1;
describe('new', () => { test('AC-1: new', () => { assert.equal(word(count), helper(2)); }); });
describe('mixed', () => {
  test('AC-2: also new', async t => { await t.test('AC-3: keeps', () => {}); old(); words.all(); });
  test('AC-3: keeps', () => { assert.deepEqual({ keep, n }, { keep: 1 }); });
  test.each([1, 2])('AC-4: each', i => { assert.equal(i, type); });
});
`;
  expect(kept('a.test.mjs', text, 'mixed > AC-3: keeps #2')).toContain("test('AC-2: also new'");
  const other = text.replace("await t.test('AC-3: keeps', () => {}); ", '');
  expect(kept('a.test.mjs', other, 'mixed > AC-3: keeps')).toBe(`import assert from 'node:assert';
import { describe, test } from 'node:test';
import './set-up.mjs';
import { unused } from './unused.mjs';
import { kept as keep } from './old.mjs';
const n = 1;
;
describe('mixed', () => {
  ;
  test('AC-3: keeps', () => { assert.deepEqual({ keep, n }, { keep: 1 }); });
  ;
});`);
  expect(kept('a.test.mjs', other)).toBe(`import './set-up.mjs';
import { unused } from './unused.mjs';
;
;`);
});

test('TypeScript: types that are no longer used are removed', () => {
  const text = `import { expect, it } from 'vitest';
import type { Added, Kept } from './types.js';
import { added, type Rate } from './rate.js';
import { old } from './old.js';
const make = (): Added => added();
it('adds', () => { const rate: Rate = 1; expect(make()).toBe(rate); });
it(\`keeps \${1}\`, () => { const it: Kept = old(); expect(it).toBe(2); });
`;
  expect(kept('a.test.ts', text, 'a.test.ts::keeps 1')).toBe(`import { expect, it } from 'vitest';
import type { Kept } from './types.js';
import { old } from './old.js';
;
it(\`keeps \${1}\`, () => { const it: Kept = old(); expect(it).toBe(2); });`);
});

test('Python: unselected test functions and methods are replaced with `pass`, and fixtures are kept', () => {
  const text = `from __future__ import annotations
import pytest, words.new
from rate import (
    rate,  # old
    added as more,
)
from words import word

limiter = word(1)

@pytest.fixture
def test_client():
    return rate

@pytest.mark.parametrize("n", [1])
def test_ac1(n):
    assert more(n) == limiter + words.new.x

class TestRate:
    def test_ac2(self):
        assert more(1)

    def test_ac3(self, test_client):
        assert rate(1)
`;
  expect(
    kept('test_a.py', text, 'pytest > test_a.TestRate > test_ac3'),
  ).toBe(`from __future__ import annotations
import pytest
from rate import rate
@pytest.fixture
def test_client():
    return rate
pass
class TestRate:
    pass
    def test_ac3(self, test_client):
        assert rate(1)`);
});

test('Go: functions and imports that are no longer used are removed', () => {
  const text = `package a_test

import (
	"strings"
	"testing"

	"example.org/a"
	added "example.org/a/added"
	"gopkg.in/yaml.v3"
)

func TestMain(m *testing.M) { m.Run() }

func user(t *testing.T) *a.User { return a.NewUser(strings.ToLower("A")) }

func TestAC1User(t *testing.T) { yaml.Marshal(added.Make(user(t))) }

func TestAC2Sum(t *testing.T) { if a.Sum(1) != 1 { t.Error("no") } }
`;
  expect(kept('a_test.go', text, 'example.org/a::TestAC2Sum')).toBe(`package a_test
import (
	"testing"
	"example.org/a"
)
func TestMain(m *testing.M) { m.Run() }
func TestAC2Sum(t *testing.T) { if a.Sum(1) != 1 { t.Error("no") } }`);
  const single = 'package a\n\nimport "testing"\n\nfunc TestAC1(t *testing.T) { Added() }\n';
  expect(kept('b_test.go', single)).toBe('package a');
});

test('Go: examples, fuzz tests and benchmarks count as tests, but a function with a similar name does not', () => {
  const text = `package a

import "testing"

func testSum(t *testing.T, n int) { if Sum(n) != n { t.Error("no") } }
func TestAC1Sum(t *testing.T) { testSum(t, 1) }
func ExampleAdded() { Added() }
func Example() { Added() }
func FuzzAdded(f *testing.F) { f.Fuzz(func(t *testing.T, n int) { Added() }) }
func BenchmarkAdded(b *testing.B) { Added() }
`;
  expect(kept('a_test.go', text, 'TestAC1Sum')).toBe(`package a
import "testing"
func testSum(t *testing.T, n int) { if Sum(n) != n { t.Error("no") } }
func TestAC1Sum(t *testing.T) { testSum(t, 1) }`);
  expect(kept('a_test.go', text, 'FuzzAdded/seed#0')).toBe(`package a
import "testing"
func FuzzAdded(f *testing.F) { f.Fuzz(func(t *testing.T, n int) { Added() }) }`);
});
