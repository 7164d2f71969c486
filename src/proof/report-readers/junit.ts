/** Reads JUnit XML, which vitest, jest-junit, mocha's xunit, `node --test` and most other runners can write. */
import {
  cancelledTest,
  type Failure,
  failureKindOf,
  failureOf,
  type Thrown,
  thrownIn,
} from '../failure-kind.ts';
import {
  addUp,
  cut,
  type ReadReport,
  type ReadTests,
  resultsOf,
  type TestCase,
  type TestResults,
  testName,
  withFiles,
} from '../test-results.ts';

interface Tag {
  name: string;
  kind: 'open' | 'close' | 'empty';
  attributes: string;
  /** Index of the `>` that ends the tag. */
  end: number;
}

const ELEMENTS = /<(\/?)(testsuites|testsuite|testcase|failure|error|skipped)(?=[\s/>])/y;
/** Maximum length of a tag. Anything longer is a stray `<`. */
const MAX_TAG_CHARS = 200_000;

export const readJunit: ReadReport = text => addUp(walk(text).documents);

/** The name of a test consists of its file, enclosing suites, class and title, if the report includes them. */
export const junitTests: ReadTests = text => walk(text).tests.map(({ test }) => test);

interface TitledTest {
  readonly test: { -readonly [key in keyof TestCase]: TestCase[key] };
  /** The test's class and title, which are listed if the test failed. */
  readonly title: string;
}

interface Walk {
  /** All tests in order, including those that are not in any document. */
  readonly tests: TitledTest[];
  /**
   * One result per outermost testsuites or testsuite element. An element without its start or end tag is marked as
   * truncated.
   */
  readonly documents: TestResults[];
}

function walk(text: string): Walk {
  const { tests, documents }: Walk = { tests: [], documents: [] };
  const suites: { name: string; file: string | undefined }[] = [];
  let depth = 0;
  let declared: Declared[] = [];
  /** Number of tests before the document. */
  let before = 0;
  let failures = 0;
  let time: string | undefined;
  let inCase = false;
  for (const tag of tagsOf(text)) {
    const of = (name: string) => attribute(tag, name);
    if (tag.name === 'testsuites' || tag.name === 'testsuite') {
      inCase = false;
      if (tag.kind !== 'close') {
        if (depth === 0) [before, declared, failures] = [tests.length, [], 0];
        declared.push({
          isPytest: of('name') === 'pytest',
          failed: Number(of('failures') ?? 0) + Number(of('errors') ?? 0) || 0,
          tests: Number(of('tests') ?? 0) || 0,
        });
      }
      if (tag.name === 'testsuite' && tag.kind === 'open')
        suites.push({ name: of('name') ?? '', file: of('file') });
      if (tag.name === 'testsuite' && tag.kind === 'close') suites.pop();
      if (tag.kind === 'open') depth += 1;
      if (tag.kind === 'close') depth -= 1;
      if (depth < 0) {
        depth = 0;
        documents.push(cut(documentOf([], [], 0)));
      } else if (depth === 0) documents.push(documentOf(tests.slice(before), declared, failures));
    } else if (tag.name === 'testcase') {
      inCase = tag.kind === 'open';
      if (tag.kind === 'close') continue;
      time = of('time');
      const file = of('file') ?? suites.findLast(suite => suite.file)?.file;
      const [name, group] = [of('name') ?? '', of('classname') ?? ''];
      const isPytest = declared.some(each => each.isPytest);
      const isRepeated = !isPytest && name.startsWith(group);
      const within = !group || group === 'test' || isRepeated ? [] : [group];
      const path = [...suites.map(suite => suite.name), ...within, name];
      tests.push({
        title: [...within, name].join(' '),
        test: { name: testName(file, path), status: 'passed' },
      });
    } else if (inCase && tag.kind !== 'close') {
      const { test } = tests.at(-1)!;
      if (tag.name !== 'skipped') {
        test.status = 'failed';
        test.failure ??= failureIn(tag, text, time);
        failures += 1;
      } else if (test.status === 'passed') {
        test.status = 'skipped';
        if (of('type') === 'todo') test.todo = true;
      }
    }
  }
  if (depth > 0 && tests.length - before + declared.length > 1)
    documents.push(cut(documentOf(tests.slice(before), declared, failures)));
  return { tests, documents };
}

interface Declared {
  /** pytest counts subtests, which have no element unless they fail. */
  isPytest: boolean;
  failed: number;
  tests: number;
}

/**
 * A suite may declare errors outside its tests, such as a file that could not be loaded. `failures` is the
 * number of failures in tests; one test may have several.
 */
function documentOf(
  tests: readonly TitledTest[],
  declared: readonly Declared[],
  failures: number,
): TestResults {
  const titles = (status: TestCase['status']) =>
    tests.filter(({ test }) => test.status === status).map(({ title }) => title);
  const [passed, failed] = [titles('passed'), titles('failed')];
  const most = (of: 'failed' | 'tests') => declared.reduce((n, each) => Math.max(n, each[of]), 0);
  const elsewhere = Math.max(0, most('failed') - failures);
  const results = resultsOf(
    {
      passed: passed.length,
      failed: failed.length + elsewhere,
      skipped: titles('skipped').length,
    },
    [
      ...failed,
      ...(elsewhere > 0 ? [`${elsewhere} ${elsewhere === 1 ? 'error' : 'errors'} outside of any test`] : []),
    ],
  );
  const allResults = withFiles(results, passed);
  const isPytest = declared.some(each => each.isPytest);
  return !isPytest && tests.length + elsewhere < most('tests') ? cut(allResults) : allResults;
}

/** Yields the relevant elements in order, skipping comments and CDATA, whose content may look like elements. */
function* tagsOf(text: string): Generator<Tag> {
  let at = text.search(/<testsuites?[\s/>]/);
  while (at >= 0) {
    const after = pastQuoted(text, at);
    if (after === null) return;
    if (after > at) {
      at = text.indexOf('<', after);
      continue;
    }
    ELEMENTS.lastIndex = at;
    const match = ELEMENTS.exec(text);
    const end = match && endOfTag(text, ELEMENTS.lastIndex);
    if (match && end) {
      const attributes = text.slice(at + match[0].length, end);
      const kind = match[1] ? 'close' : attributes.endsWith('/') ? 'empty' : 'open';
      yield { name: match[2]!, kind, attributes, end };
    }
    at = text.indexOf('<', at + 1);
  }
}

/** Index after the comment or CDATA section at `at`; `at` itself when there is none; null when it is not closed. */
function pastQuoted(text: string, at: number): number | null {
  for (const [opening, closing] of [
    ['<![CDATA[', ']]>'],
    ['<!--', '-->'],
  ] as const) {
    if (!text.startsWith(opening, at)) continue;
    const end = text.indexOf(closing, at + opening.length);
    return end < 0 ? null : end + closing.length;
  }
  return at;
}

/** Index of the `>` that ends a tag, ignoring those in quoted attributes. */
function endOfTag(text: string, from: number): number | null {
  const mark = /["'>]/g;
  mark.lastIndex = from;
  for (let at = mark.exec(text); at && at.index - from < MAX_TAG_CHARS; at = mark.exec(text)) {
    if (at[0] === '>') return at.index;
    const closing = text.indexOf(at[0], at.index + 1);
    if (closing < 0) return null;
    mark.lastIndex = closing + 1;
  }
  return null;
}

const attribute = (tag: Tag, name: string): string | undefined => {
  for (const [, key, double, single] of tag.attributes.matchAll(
    /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g,
  )) {
    if (key === name) return decoded(double ?? single ?? '');
  }
  return undefined;
};

const NAMED: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
const decoded = (text: string): string =>
  text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return NAMED[name] ?? whole;
    const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });

/**
 * node wraps the thrown error in an error of its own class; pytest omits the class from the message of a failed
 * `assert`.
 */
function failureIn(tag: Tag, text: string, time: string | undefined): Failure {
  const [type, message = ''] = [attribute(tag, 'type'), attribute(tag, 'message')];
  if (type === 'testTimeoutFailure') return failureOf('timeout', message);
  if (type === 'cancelledByParent') return cancelledTest(message, time);
  if (type === 'testCodeFailure') return failureOf(failureKindOf(causeIn(bodyOf(tag, text))), message);
  if (type !== undefined)
    return failureOf(tag.name === 'failure' ? failureKindOf({ name: type, message }) : 'error', message);
  if (tag.name === 'error') return failureOf(message === 'collection failure' ? 'load' : 'error', message);
  if (message === '') return mochaFailure(bodyOf(tag, text));
  const isPytest = /^(?:assert |(?:AssertionError|Failed)(?:: |$))/.test(message);
  return failureOf(isPytest ? 'assert' : 'error', message);
}

/** mocha writes the message, then the stack trace, whose first line is the error class and the same message. */
function mochaFailure(body: string): Failure {
  const [message = '', ...lines] = body.split('\n');
  const stack = lines.find(line => line.endsWith(`: ${message}`)) ?? '';
  return failureOf(failureKindOf(thrownIn(stack)), message);
}

const bodyOf = (tag: Tag, text: string): string =>
  tag.kind === 'open' ? decoded(text.slice(tag.end + 1, text.indexOf(`</${tag.name}`, tag.end))) : '';

/** Uses the last line that starts with `cause:`: a similar line in a message comes earlier or is indented more. */
function causeIn(body: string): Thrown {
  const [, name, code, message] =
    [...body.matchAll(/^ {2}cause: ([\w$.]+)(?: \[(\w+)\])?:(.*)/gm)].at(-1) ?? [];
  return { name, code, message: message?.trim() };
}
