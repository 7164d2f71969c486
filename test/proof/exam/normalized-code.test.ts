/** A text is parsed only where it differs from the previous one, and the result has to be the same. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type CodeLanguage, languageOfFile } from '../../../src/proof/exam/syntax/languages.ts';
import { normalizedCode } from '../../../src/proof/exam/syntax/normalized-code.ts';
import { syntaxErrors } from '../../../src/proof/exam/syntax/parse-code.ts';
import { linesOf } from '../../../src/proof/exam/syntax/text-lines.ts';
import fc from '../../helpers/fast-check-seed.ts';

/** The same language, with a parser that has not parsed anything yet. */
const fresh = ({ comment, grammar }: CodeLanguage): CodeLanguage => ({
  comment,
  grammar: grammar && { ...grammar, parser: Object.create(grammar.parser) as typeof grammar.parser },
});

const PYTHON = `import os


class Shelf:
    """Books by their title."""

    def __init__(self, books=()):
        self.books = {book.title: book for book in books}

    def find(self, title, missing=None):
        # The title may have blanks around it.
        for name in (title, title.strip()):
            if name in self.books:
                return self.books[name]
        return missing


def read(folder):
    with os.scandir(folder) as entries:
        return Shelf(entry for entry in entries if entry.is_file() and not entry.name.startswith("."))
`;

const GO = `package shelf

import "strings"

// Shelf has books by their title.
type Shelf struct{ books map[string]int }

func (s *Shelf) Find(title string) (int, bool) {
	for _, name := range []string{title, strings.TrimSpace(title)} {
		if n, ok := s.books[name]; ok {
			return n, true
		}
	}
	return 0, false
}
`;

const SOURCE = 'src/proof/exam/syntax';
const TEXTS = [
  ...readdirSync(SOURCE).map(name => ({ path: name, text: readFileSync(join(SOURCE, name), 'utf8') })),
  ...[PYTHON, GO].map((text, n) => ({ path: n === 0 ? 'shelf.py' : 'shelf.go', text: text.repeat(12) })),
];

const ADDED = [
  '',
  '// a note\n',
  '# a note\n',
  '}\n',
  '  x = `a ${\n',
  '"\n',
  'if (a) {\n',
  '*/\n',
  'return 1\n',
  '/* x\n',
];

const edit = fc.record({
  at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  removed: fc.integer({ min: 0, max: 4 }),
  added: fc.constantFrom(...ADDED),
});

/** After the first of these edits, the text has errors that a tree of the second must not keep. */
const EDITS = [
  { at: 211.5 / 240, removed: 1, added: '' },
  { at: 231.5 / 240, removed: 3, added: '' },
];

test('the syntax tree and syntax errors of a text do not depend on texts parsed before it', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...TEXTS),
      fc.array(edit, { minLength: 1, maxLength: 4 }),
      ({ path, text }, edits) => {
        const language = languageOfFile(path)!;
        const lines = linesOf(text);
        for (const { at, removed, added } of edits) {
          const other = lines.toSpliced(Math.floor(at * lines.length), removed, added).join('');
          const alone = fresh(language);
          expect(normalizedCode(other, language) === normalizedCode(other, alone), other).toBe(true);
          expect(syntaxErrors(other, language)).toBe(syntaxErrors(other, alone));
        }
      },
    ),
    { examples: [[TEXTS.find(({ path }) => path === 'shelf.py')!, EDITS]] },
  );
});
