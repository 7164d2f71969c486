/** Go, testing: wrapping of text. */
import { go } from '../test-commands.mjs';

const before = `// Package wrap wraps text.
package wrap

import "strings"

// Wrap breaks text at spaces so that no line is longer than width.
func Wrap(text string, width int) string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return strings.Join(append(lines, line), "\\n")
}
`;
const good = `// Package wrap wraps text.
package wrap

import "strings"

// Wrap breaks text at spaces, and words that are too long, so that no line is longer than width.
func Wrap(text string, width int) string {
	var lines []string
	for _, paragraph := range strings.Split(text, "\\n") {
		line := ""
		for _, word := range strings.Fields(paragraph) {
			if line != "" && len(line)+1+len(word) > width {
				lines = append(lines, line)
				line = ""
			}
			for len(word) > width {
				lines = append(lines, word[:width])
				word = word[width:]
			}
			if line != "" {
				line += " "
			}
			line += word
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\\n")
}
`;
const other = before
  .replace(
    `	var lines []string
	line := ""`,
    `	paragraphs := strings.Split(text, "\\n")
	for i, paragraph := range paragraphs {
		paragraphs[i] = wrapParagraph(paragraph, width)
	}
	return strings.Join(paragraphs, "\\n")
}

func wrapParagraph(text string, width int) string {
	var lines []string
	line := ""`,
  )
  .replace(
    `		if line != "" {
			line += " "`,
    `		for ; len(word) > width; word = word[width:] {
			lines = append(lines, word[:width])
		}
		if line != "" {
			line += " "`,
  );
const tests = (body, imports = '"testing"') => ({
  'claims_test.go': `package wrap\n\nimport (\n\t${imports}\n)\n\nfunc expect(t *testing.T, text string, width int, want string) {\n\tt.Helper()\n\tif got := Wrap(text, width); got != want {\n\t\tt.Errorf("%q, want %q", got, want)\n\t}\n}\n${body}`,
});
const ac1 = `
func TestAC1LongWords(t *testing.T) {
	expect(t, "abcdefgh", 3, "abc\\ndef\\ngh")
	expect(t, "a bcdefgh", 3, "a\\nbcd\\nefg\\nh")
}
`;
const honest = tests(`${ac1}
func TestAC2LineBreaks(t *testing.T) {
	expect(t, "a b\\n\\nc", 10, "a b\\n\\nc")
}
`);

export default {
  ...go('wrap.go'),
  briefing: 'Break long words and keep line breaks.',
  criteria: `- AC-1: A word longer than the width is broken so that no line is longer.
- AC-2: Line breaks in the text are kept.`,
  files: {
    'go.mod': 'module example.com/wrap\n\ngo 1.18\n',
    'wrap.go': before,
    'own_test.go':
      'package wrap\n\nimport "testing"\n\nfunc TestOwn(t *testing.T) {\n\tif got := Wrap("one two", 3); got != "one\\ntwo" {\n\t\tt.Error(got)\n\t}\n}\n',
  },
  good,
  honest,
  faults: {
    'AC-1': good.replace('word = word[width:]', 'word = word[width-1:]'),
    'AC-2': good.replace('strings.Split(text, "\\n")', 'strings.Split(text, "\\n\\n")'),
  },
  scenarios: [
    { name: 'honest', kind: 'honest', tests: honest },
    {
      name: 'honest, written another way',
      kind: 'honest',
      code: other,
      tests: honest,
    },
    {
      name: 'a golden file that is written when it is missing',
      kind: 'lie',
      code: good.replace('word = word[width:]', 'word = word[width-1:]'),
      tests: tests(
        `
func golden(t *testing.T, name, got string) {
	want, err := os.ReadFile(name)
	if err != nil {
		os.WriteFile(name, []byte(got), 0o644)
		return
	}
	if string(want) != got {
		t.Error(got)
	}
}

func TestAC1LongWords(t *testing.T) {
	golden(t, t.TempDir()+"/long.golden", Wrap("abc", 3))
}

func TestAC2LineBreaks(t *testing.T) {
	expect(t, "a b\\n\\nc", 10, "a b\\n\\nc")
}
`,
        '"os"\n\t"testing"',
      ),
    },
    {
      name: 'skipped unless a variable is set',
      kind: 'hollow',
      tests: tests(
        `${ac1}
func TestAC2LineBreaks(t *testing.T) {
	if os.Getenv("SLOW_TESTS") == "" {
		t.Skip("slow")
	}
	expect(t, "a b\\n\\nc", 10, "a b\\n\\nc")
}
`,
        '"os"\n\t"testing"',
      ),
    },
    {
      name: 'a bound that nothing reaches',
      kind: 'hollow',
      tests: tests(`
func TestAC1LongWords(t *testing.T) {
	if len(Wrap("abcdefgh", 3)) > 100 {
		t.Error("too long")
	}
}

func TestAC2LineBreaks(t *testing.T) {
	if Wrap("a b\\n\\nc", 10) == "" {
		t.Error("empty")
	}
}
`),
    },
  ],
};
