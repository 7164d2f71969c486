/** Tests of the values that Go code returns after a fault was planted in it, with the real compiler. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { differentGoValues, withGoHelper } from '../../../src/proof/exam/faults/go-value-changes.ts';
import { NO_GO } from './examine-passed-tests.ts';

/** Type of the result, expression, and what is printed of the other value: by default `%#v`. */
const CASES: readonly (readonly [type: string, expression: string, expected: string, printed?: string])[] = [
  ['bool', 'true', 'false'],
  ['int', '5', '6'],
  ['uint8', '255', '0x0'],
  ['float64', '5', '6'],
  ['int', '-1', '-2'],
  ['float64', '0.5', '0.25'],
  ['float64', '-1e300', '-5e+299'],
  ['float64', 'math.Inf(1)', '0'],
  ['complex128', '2i', '(1+2i)'],
  ['string', '"ab"', '"bcc"'],
  ['string', '"Zz 9.10"', '"Aa 1.200"'],
  ['string', '"--"', '"----"'],
  ['string', '""', '"x"'],
  ['Name', '"a"', '"bb"'],
  ['[]string', '[]string{"a"}', '[]string{"bb", "bb"}'],
  ['[]string', 'nil', '[]string{""}'],
  ['[2]int', '[2]int{1, 2}', '[2]int{2, 3}'],
  ['Table', 'Table{"a": 1}', 'main.Table{"a":2, "bb":1, "ccc":1}'],
  ['Table', 'Table{}', 'main.Table{"":0}'],
  [
    'map[string]struct{}',
    'map[string]struct{}{"a": {}}',
    'map[string]struct {}{"bb":struct {}{}, "ccc":struct {}{}}',
  ],
  ['map[bool]struct{}', 'map[bool]struct{}{true: {}, false: {}}', 'map[bool]struct {}{}'],
  ['Box', 'Box{side: 1, next: nil}', 'main.Box{side:2, next:(*main.Box)(nil)}'],
  ['*Box', '&Box{side: 1, next: &Box{side: 5}}', '6', 'v.next.side'],
  ['*Box', '&Box{side: 1}', '2', 'v.side'],
  ['*Box', 'nil', '0', 'v.side'],
  ['Shape', 'square{2}', '9', 'v.Area()'],
  ['Shape', '&square{2}', '9', 'v.Area()'],
  ['Shape', 'nil', '<nil>'],
  ['interface{}', '1', '2'],
  ['interface{}', 'nil', 'false', 'v == nil'],
  ['func() int', 'func() int { return 1 }', '2', 'v()'],
  ['func(...int) int', 'func(n ...int) int { return len(n) }', '3', 'v(7, 7)'],
  ['func() error', 'func() error { return errors.New("a") }', '<nil>', 'v()'],
  ['func()', 'func() { panic("a") }', '0', 'func() int { v(); return 0 }()'],
  ['<-chan int', 'sent(1, 2)', '[]int{2, 3}', 'received(v)'],
  ['time.Time', 'time.Unix(0, 0).UTC()', '"1970-01-02"', 'v.Format("2006-01-02")'],
  ['*url.URL', '&url.URL{Path: "/a"}', '""', 'v.Path'],
  ['Page', 'Page{url: &url.URL{Path: "/a"}, count: 1}', '"/a 2"', 'fmt.Sprint(v.url.Path, " ", v.count)'],
  ['error', 'errors.New("a")', '<nil>'],
  ['error', 'nil', '<nil>'],
];

const SOURCE = `// Package main is an example.
package main // with a comment

import (
	"errors"
	"fmt"
	"math"
	"net/url"
	"time"
)

type Name string
type Table map[string]int
type Box struct {
	side int
	next *Box
}
type Shape interface{ Area() int }
type square struct{ side int }

func (s square) Area() int { return s.side * s.side }

type Page struct {
	url   *url.URL
	count int
}

func sent(items ...int) <-chan int {
	made := make(chan int, len(items))
	for _, item := range items {
		made <- item
	}
	close(made)
	return made
}

func received(from <-chan int) []int {
	var all []int
	for item := range from {
		all = append(all, item)
	}
	return all
}

func pair(err error) (int, error) { return ${differentGoValues('1, err', ['int', 'error'])} }

var _, _, _, _ = errors.New, math.Inf, time.Now, url.Parse
`;

/** The output of a program with this function `main`; the module is older than generics. */
function outputOf(statements: readonly string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'dure-go-'));
  try {
    const code = withGoHelper(`${SOURCE}\nfunc main() {\n${statements.join('\n')}\n}\n`);
    writeFileSync(join(folder, 'go.mod'), 'module example.org/main\n\ngo 1.13\n');
    writeFileSync(join(folder, 'main.go'), code);
    const { stdout, stderr } = spawnSync('go', ['run', '.'], { cwd: folder, encoding: 'utf8' });
    return (stdout || stderr).trimEnd().split('\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe.skipIf(NO_GO)('another value in Go', () => {
  test('has the same type, and differs in everything that can be changed', () => {
    const statements = CASES.map(
      ([type, expression, , printed = 'v']) =>
        `func() { v := ${differentGoValues(expression, [type])}; _ = v; fmt.Printf("%#v\\n", ${printed}) }()`,
    );
    expect(outputOf(statements)).toEqual(CASES.map(([, , expected]) => expected));
  });

  test('if an error other than nil is returned with a result, both become zero values', () => {
    expect(outputOf(['fmt.Println(pair(nil))', 'fmt.Println(pair(errors.New("a")))'])).toEqual([
      '2 <nil>',
      '0 <nil>',
    ]);
  });

  test('line numbers stay the same', () => {
    const lines = SOURCE.split('\n');
    const changed = withGoHelper(SOURCE).split('\n');
    expect(changed.slice(2, lines.length - 1)).toEqual(lines.slice(2, -1));
    expect(changed[1]).toBe(
      'package main; import dureReflect "reflect"; import dureUnsafe "unsafe" // with a comment',
    );
  });
});
