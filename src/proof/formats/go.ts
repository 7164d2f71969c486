/**
 * Reads the output of `go test` with `-json`, with `-v`, and without either. A package that failed without a failed
 * test (for example because it does not build) counts as one test, and so does a package that passed without listing
 * its tests.
 */
import { type ReadReport, type ReadTests, resultsOfTests, type TestCase } from '../report.ts';

const STATUS = { pass: 'passed', fail: 'failed', skip: 'skipped' } as const;

const TEST = /(?:^|\u0016) *--- (PASS|FAIL|SKIP): (\S+) \([\d.]+s\)$/;
const PACKAGE = /^(ok|FAIL|\?) *\t(\S+)(?:\t| )(.*)$|^(FAIL)\t(\S+) \[(?:build|setup) failed\]$/;

export const goTextTests: ReadTests = text => {
  const tests: TestCase[] = [];
  let own: TestCase[] = [];
  for (const line of text.split('\n')) {
    const test = TEST.exec(line);
    if (test) {
      const status = STATUS[test[1]!.toLowerCase() as keyof typeof STATUS];
      own.push({ name: test[2]!, status });
    }
    const ended = PACKAGE.exec(line);
    if (!ended) continue;
    const name = ended[2] ?? ended[5]!;
    tests.push(...own.map(each => ({ ...each, name: `${name}::${each.name}` })));
    const failed = (ended[1] ?? ended[4]) === 'FAIL';
    const hidden = failed ? !own.some(each => each.status === 'failed') : own.length === 0;
    if (hidden && ended[1] !== '?' && !/\[no test(?:s to run| files)\]/.test(line))
      tests.push({ name, status: failed ? 'failed' : 'passed' });
    own = [];
  }
  return tests;
};

export const readGoText: ReadReport = text => {
  const tests = goTextTests(text);
  return tests.length > 0 ? resultsOfTests(tests) : null;
};

const EVENT = /^\{.*"Action":"(?:pass|fail|skip|start|run)".*\}$/gm;

interface Package {
  readonly tests: TestCase[];
  ended: TestCase['status'] | null;
}

export const goJsonTests: ReadTests = text =>
  [...packagesOf(text)].flatMap(([name, { tests, ended }]) => {
    const hidden = ended === 'failed' && !tests.some(test => test.status === 'failed');
    return hidden ? [...tests, { name, status: 'failed' as const }] : tests;
  });

function packagesOf(text: string): Map<string, Package> {
  const packages = new Map<string, Package>();
  const at = (name: string): Package => {
    const found = packages.get(name) ?? { tests: [], ended: null };
    packages.set(name, found);
    return found;
  };
  for (const [line] of text.matchAll(EVENT)) {
    const event = parsed(line);
    if (typeof event?.Package !== 'string') continue;
    const status = STATUS[event.Action as keyof typeof STATUS];
    const of = at(event.Package);
    if (status === undefined) continue;
    if (typeof event.Test === 'string') of.tests.push({ name: `${event.Package}::${event.Test}`, status });
    else of.ended = status;
  }
  if (packages.size === 0) return packages;
  // A package that does not build is reported by a plain line between the events.
  for (const [, name] of text.matchAll(/^FAIL\t(\S+) \[(?:build|setup) failed\]$/gm))
    at(name!).ended = 'failed';
  return packages;
}

export const readGoJson: ReadReport = text => {
  const tests = goJsonTests(text);
  return tests.length > 0 ? resultsOfTests(tests) : null;
};

interface GoEvent {
  readonly Action?: unknown;
  readonly Package?: unknown;
  readonly Test?: unknown;
}
function parsed(line: string): GoEvent | null {
  try {
    return JSON.parse(line) as GoEvent;
  } catch {
    return null;
  }
}
