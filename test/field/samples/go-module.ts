/** A Go module with two packages and tests beside the code. */
import { spawnSync } from 'node:child_process';
import type { Sample } from '../sample.ts';

const stack = (pop: string, more = '') => `// Package stack holds values.
package stack

// Stack is empty when new.
type Stack struct{ values []int }

// Push adds a value.
func (s *Stack) Push(value int) { s.values = append(s.values, value) }

// Pop takes the last value.
func (s *Stack) Pop() (int, bool) {
${pop}
}
${more}`;
const POP = `	if len(s.values) == 0 {
		return 0, false
	}
	last := s.values[len(s.values)-1]
	s.values = s.values[:len(s.values)-1]
	return last, true`;
const SIZE = '\n// Size counts the values.\nfunc (s *Stack) Size() int { return len(s.values) }\n';
const test = (body: string) => `package stack

import "testing"

func TestPopOfAnEmptyStack(t *testing.T) {
${body}
}

func TestPopGivesTheLast(t *testing.T) {
	s := &Stack{}
	s.Push(1)
	s.Push(2)
	if last, _ := s.Pop(); last != 2 {
		t.Fatal(last)
	}
}
`;
const HELD = `	if _, ok := (&Stack{}).Pop(); ok {
		t.Fatal("something came out of an empty stack")
	}`;
const OLD = 'stack/stack_test.go';
const UNCHECKED = `	if len(s.values) == 0 {
		return 0, true
	}
	last := s.values[len(s.values)-1]
	s.values = s.values[:len(s.values)-1]
	return last, true`;

export const goModule: Sample = {
  name: 'a Go module',
  missing: spawnSync('go', ['version']).status === 0 ? null : 'go is not installed',
  files: {
    'go.mod': 'module example.com/sample\n\ngo 1.19\n',
    'stack/stack.go': stack(POP),
    [OLD]: test(HELD),
    'calc/calc.go': `// Package calc reckons.
package calc

import "example.com/sample/stack"

// Sum adds all values.
func Sum(values ...int) int {
	s := &stack.Stack{}
	for _, v := range values {
		s.Push(v)
	}
	sum := 0
	for {
		v, ok := s.Pop()
		if !ok {
			return sum
		}
		sum += v
	}
}
`,
  },
  honest: { 'stack/stack.go': stack(POP, SIZE) },
  breaking: { 'stack/stack.go': stack(UNCHECKED, SIZE) },
  silenced: {
    edited: { [OLD]: test(HELD.replace('; ok {', '; !ok {')) },
    skipped: { [OLD]: test(`	t.Skip("later")\n${HELD}`) },
    deleted: { [OLD]: null },
  },
  uncommitted: { 'stack/stack.go': 'package stack\n\nthis is no Go\n' },
  verifier: {
    command: 'go test',
    existing: OLD,
    imports: 'package (\\w+)',
    place: 'stack/size_test.go',
    test: `package {{import}}

import "testing"

func TestSizeCountsWhatWasPushed(t *testing.T) {
	s := &Stack{}
	s.Push(7)
	if s.Size() != 1 {
		t.Fatal(s.Size())
	}
}
`,
  },
};
