/**
 * Reads the output of `go test` with `-json`, with `-v`, and without either. A package that failed without a failed
 * test (for example because it does not build) counts as one test, and so does a package that passed without listing
 * its tests.
 */
import { type Failure, failureOf } from '../failure-kind.ts';
import { type ReadReport, type ReadTests, resultsOfTests, type TestCase } from '../test-results.ts';

const STATUS = { pass: 'passed', fail: 'failed', skip: 'skipped' } as const;

const NOT_BUILT = failureOf('load', '');

const TEST = /(?:^|\u0016) *--- (PASS|FAIL|SKIP): (\S+) \([\d.]+s\)$/;
/** Matches a line that Go prints with `-v` to name the test that printed the lines after it. */
const SECTION = /^\u0016?=== (?:RUN|CONT|NAME|PAUSE) +(\S+)$/;
const PACKAGE = /^(ok|FAIL|\?) *\t(\S+)(?:\t| )(.*)$|^(FAIL)\t(\S+) \[(?:build|setup) failed\]$/;

export const goTextTests: ReadTests = text => {
  const tests: TestCase[] = [];
  let own: TestCase[] = [];
  let printed = new Map<string, string[]>();
  // Without `-v`, the output of a test follows its result.
  let printing: string | null = null;
  for (const line of text.split('\n')) {
    const test = TEST.exec(line);
    if (test) {
      const status = STATUS[test[1]!.toLowerCase() as keyof typeof STATUS];
      own.push({ name: test[2]!, status });
    }
    printing = test?.[2] ?? SECTION.exec(line)?.[1] ?? printing;
    if (printing !== null) print(printed, printing, line);
    const ended = PACKAGE.exec(line);
    if (!ended) continue;
    const name = ended[2] ?? ended[5]!;
    const failed = (ended[1] ?? ended[4]) === 'FAIL';
    const reported = own.map(each => each.name);
    if (failed)
      own.push(...crashedTests(printed, reported).map(test => ({ name: test, status: 'failed' as const })));
    tests.push(
      ...own.map(each => ({
        ...each,
        name: `${name}::${each.name}`,
        ...(each.status === 'failed' && { failure: failureOfTest(each.name, printed) }),
      })),
    );
    const hidden = failed ? !own.some(each => each.status === 'failed') : own.length === 0;
    if (hidden && ended[1] !== '?' && !/\[no test(?:s to run| files)\]/.test(line))
      tests.push({
        name,
        status: failed ? 'failed' : 'passed',
        ...(/ \[(?:build|setup) failed\]$/.test(line) && { failure: NOT_BUILT }),
      });
    own = [];
    printed = new Map();
    printing = null;
  }
  return tests;
};

function print(printed: Map<string, string[]>, test: string, line: string): void {
  const lines = printed.get(test) ?? [];
  lines.push(line);
  printed.set(test, lines);
}

const CRASH = /^(?:panic: (?!test timed out)|fatal error: )/;

/** A panic in another goroutine ends the package before the test that was running is reported. */
const crashedTests = (
  printed: ReadonlyMap<string, readonly string[]>,
  reported: readonly string[],
): string[] =>
  [...printed].flatMap(([test, lines]) =>
    !reported.includes(test) && lines.some(line => CRASH.test(line)) ? [test] : [],
  );

export const readGoText: ReadReport = text => resultsOfTests(goTextTests(text));

const EVENT = /^\{.*"Action":"(?:pass|fail|skip|start|run|output)".*\}$/gm;

interface Package {
  readonly tests: TestCase[];
  /** Printed lines by test. */
  readonly printed: Map<string, string[]>;
  ended: TestCase['status'] | null;
  built: boolean;
}

export const goJsonTests: ReadTests = text =>
  [...packagesOf(text)].flatMap(([name, { tests: reported, printed, ended, built }]) => {
    const names = reported.map(test => test.name.slice(name.length + 2));
    const crashed = ended === 'failed' ? crashedTests(printed, names) : [];
    const tests = [...reported, ...crashed.map(test => failedTest(name, test, printed))];
    const hidden = ended === 'failed' && !tests.some(test => test.status === 'failed');
    const failure = built ? failureOf('error', '') : NOT_BUILT;
    return hidden ? [...tests, { name, status: 'failed' as const, failure }] : tests;
  });

const failedTest = (of: string, test: string, printed: Package['printed']): TestCase => ({
  name: `${of}::${test}`,
  status: 'failed',
  failure: failureOfTest(test, printed),
});

const RACE = /^(?: {4})+testing\.go:\d+: race detected/;

/**
 * A test whose failure is reported has called a method like `t.Error` or `t.Fail`, unless it panicked or had a data
 * race. `t.Error` and `t.Fatal` print a line with their location in the test file, indented by four spaces, or by
 * more in a subtest; `t.Fail` prints nothing. A panic message is not indented. A test fails in the same way as its
 * subtests.
 */
function failureOfTest(name: string, printed: ReadonlyMap<string, readonly string[]>): Failure {
  const lines = [...printed].flatMap(([test, own]) =>
    test === name || test.startsWith(`${name}/`) ? own : [],
  );
  const panicked = lines.find(line => /^panic: /.test(line));
  const errorLine = lines.find(line => /^(?: {4})+\S+_test\.go:\d+: /.test(line));
  const reported = lines.some(line => TEST.exec(line.trimEnd())?.[1] === 'FAIL');
  const isAssertion = panicked === undefined && reported && !lines.some(line => RACE.test(line));
  return failureOf(isAssertion ? 'assert' : 'error', panicked ?? errorLine ?? '');
}

function packagesOf(text: string): Map<string, Package> {
  const packages = new Map<string, Package>();
  const at = (name: string): Package => {
    const found = packages.get(name) ?? { tests: [], printed: new Map(), ended: null, built: true };
    packages.set(name, found);
    return found;
  };
  for (const [line] of text.matchAll(EVENT)) {
    const event = parsed(line);
    if (typeof event?.Package !== 'string') continue;
    const status = STATUS[event.Action as keyof typeof STATUS];
    const of = at(event.Package);
    const test = typeof event.Test === 'string' ? event.Test : null;
    if (test !== null && typeof event.Output === 'string') print(of.printed, test, event.Output);
    if (status === undefined) continue;
    if (test === null) of.ended = status;
    else if (status === 'failed') of.tests.push(failedTest(event.Package, test, of.printed));
    else of.tests.push({ name: `${event.Package}::${test}`, status });
  }
  if (packages.size === 0) return packages;
  // A package that does not build is reported in a plain line between the events.
  for (const [, name] of text.matchAll(/^FAIL\t(\S+) \[(?:build|setup) failed\]$/gm))
    Object.assign(at(name!), { ended: 'failed', built: false });
  return packages;
}

export const readGoJson: ReadReport = text => resultsOfTests(goJsonTests(text));

interface GoEvent {
  readonly Action?: unknown;
  readonly Package?: unknown;
  readonly Test?: unknown;
  readonly Output?: unknown;
}
function parsed(line: string): GoEvent | null {
  try {
    return JSON.parse(line) as GoEvent;
  } catch {
    return null;
  }
}
