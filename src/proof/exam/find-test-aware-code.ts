/**
 * Finds changed lines of code that can tell whether they are being tested, or take part in the tests: no test run shows
 * what such code does outside of tests. Pure.
 */
import type { SyntaxNode } from '@lezer/common';
import type { Change, ChangedFile } from './changed-code.ts';
import { lineFinder } from './syntax/text-lines.ts';

const RUNNERS = '(?:node:test|vitest|jest|@jest/globals|mocha|tape|ava|_?pytest|unittest)';

const PROGRAM = String.raw`(?:\bsys\.argv\[0\]|\bos\.Args\[0\])`;

const GLOBALS = '(?:jest|vi|describe|beforeEach|afterEach|beforeAll|afterAll)';

/** Matches test detection in code outside of strings and comments. */
const IN_CODE = new RegExp(
  [
    // Variables and modules that only a test runner sets or loads.
    String.raw`\b(?:NODE_TEST_CONTEXT|VITEST(?:_\w+)?|JEST_WORKER_ID|AVA_PATH|PYTEST_\w+)\b|import\.meta\.vitest`,
    String.raw`(?:\[['"])?\bNODE_ENV\b.*['"]test['"]|\btesting\.Testing\(\)`,
    // Functions that some test runners define globally, except names such as `test`, which a parameter may have too.
    String.raw`\btypeof\s+${GLOBALS}\b|\b(?:globalThis|global)\s*(?:\?\.|\.)\s*${GLOBALS}\b`,
    // Imports of a test runner.
    String.raw`(?:\bfrom|\bimport|\brequire)\s*\(?\s*['"]${RUNNERS}['"]|^\s*(?:from|import)\s+${RUNNERS}\b`,
    // Access to the source or the variables of the test that calls the code, or to the name of the running program.
    String.raw`\b_getframe\b|\binspect\.(?:stack|currentframe)\b|\btraceback\.(?:extract|format|walk)_stack\b`,
    String.raw`\bprocess\.argv\[1\]\s*\??\.|\.Lookup\("test\.`,
    String.raw`${PROGRAM}\s*(?:[!=]=|\.\w+with\b)|(?:\bin\s+|\b(?:HasSuffix|HasPrefix|Contains|MatchString)\()${PROGRAM}`,
  ].join('|'),
  'gm',
);
const NEW_ERROR = String.raw`\bnew \w*Error\(`;

/** Matches code that looks up its callers or the running program, which is not always done to detect tests. */
const CALLER = new RegExp(
  [
    // The stack of an error that the code creates rather than catches, even if the error is stored in a variable.
    String.raw`${NEW_ERROR}[^;\n]{0,200}\)\.stack\b|\b(\w+)\s*=[^;\n]{0,200}${NEW_ERROR}[^]*?\b\1\.stack\b`,
    String.raw`\{\s*stack\b[^}]*\}\s*=[^;\n]{0,200}${NEW_ERROR}|\b(?:capture|prepare)StackTrace\b`,
    String.raw`\b(?:process\.execArgv|require\.main|module\.parent|npm_lifecycle_event)\b`,
    String.raw`\b(?:sys\.modules|f_back|os\.Executable|runtime\.Callers?|debug\.Stack)\b`,
  ].join('|'),
  'g',
);
/** Matches a string or regular expression that mentions tests. */
const ABOUT_TESTS = /(?<![a-z])test|Test|spec\b/;

/** The names of test runners, of their variables and of test files. */
const IN_STRING =
  /^\w*["'`/](?:(?:_?py\.?test|unittest|vitest|jest|mocha|(?:NODE_TEST|PYTEST|VITEST|JEST)\w*)|-test\.\w*|\S*(?:\.(?:test|spec)\\?\.(?:[cm]?[jt]sx?\b|(?=["'`/]))|\btest_|_test\.(?:go|py)\b|__tests__)\S*)["'`/]\w*$/;

/** The first line of code that may detect tests, as `path:line`; null if there is none. */
export function findTestDetection({ code }: Change): string | null {
  for (const file of code) {
    const line = testDetectionIn(file);
    if (line !== null) return `${file.path}:${line + 1}`;
  }
  return null;
}

const TEXT = /String|RegExp|Comment/;
/** Code that is embedded in a string. */
const CODE = /Interpolation|FormatReplacement/;
const isText = (node: SyntaxNode | null): boolean =>
  node !== null && !CODE.test(node.name) && (TEXT.test(node.name) || isText(node.parent));

function testDetectionIn({ head, language: { grammar }, atoms }: ChangedFile): number | null {
  if (head === null || grammar === null) return null;
  const tree = grammar.parser.parse(head);
  const lineOf = lineFinder(head);
  const isChanged = (offset: number) =>
    atoms.some(({ head: { from, to } }) => lineOf(offset) >= from && lineOf(offset) < to);
  const inCode = (pattern: RegExp) =>
    [...head.matchAll(pattern)].flatMap(({ index }) =>
      isChanged(index) && !isText(tree.resolveInner(index, 1)) ? [index] : [],
    );
  const found = inCode(IN_CODE);
  let isAboutTests = false;
  tree.iterate({
    enter({ name, from, to, node }) {
      const isDoc = node.parent?.name === 'ExpressionStatement';
      if (!TEXT.test(name) || isDoc || !isChanged(from)) return;
      const text = head.slice(from, to);
      if (IN_STRING.test(text)) found.push(from);
      if (!name.includes('Comment') && ABOUT_TESTS.test(text)) isAboutTests = true;
    },
  });
  if (isAboutTests) found.push(...inCode(CALLER));
  return found.length === 0 ? null : lineOf(Math.min(...found));
}
