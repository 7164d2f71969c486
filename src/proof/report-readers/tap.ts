/**
 * Reads TAP 13 and 14, with subtests as nested by node (parent after its children) and vitest (parent before them,
 * with a brace). Only leaves are tests; a parent counts as one only if it failed and none of its children did, for
 * example because of a failed hook. A report without a plan, or whose number of tests differs from the plan, is
 * incomplete.
 */
import { criteriaIn } from '../../core/policy/criteria/criterion-tags.ts';
import { cancelledTest, type Failure, failureKindOf, failureOf, thrownIn } from '../failure-kind.ts';
import {
  cut,
  type ReadReport,
  type ReadTests,
  resultsOf,
  type TestCase,
  testName,
  withFiles,
} from '../test-results.ts';
import { nodeSummaries } from './node-summary.ts';

type Status = TestCase['status'];
interface Point {
  name: string;
  status: Status;
  todo: boolean;
  depth: number;
  children: Point[];
  /** Lines of the diagnostic block below the test point. */
  diagnostic: string[];
  /** Other indented lines below the test point, without their first two spaces. */
  text: string[];
}

const POINT = /^( *)(not )?ok +\d+\b(?: +-)? ?(.*)$/;
const DIRECTIVE = / +# *(skip|todo)\S*\b.*$/i;
const PLAN = /^1\.\.(\d+)/;
/** AVA's names for an error outside the tests, and for the file whose process it ended. The plan counts neither. */
export const AVA_ERROR = /^file:\/\/\S+:\d+$/;
export const AVA_EXIT = /^(\S+\.[cm]?[jt]sx?) exited with a non-zero exit code: \d+$/;

export const readTap: ReadReport = text => {
  const { points, planned, bailed, open } = pointsOf(text);
  const announced = /^TAP version 1[34]$/m.test(text);
  if (!announced && (planned === null || points.length === 0)) return null;
  const leaves = points.flatMap(point => leavesOf(point, [])).map(({ point }) => point);
  const count = (status: Status) => leaves.filter(point => point.status === status).length;
  const names = leaves.filter(point => point.status === 'failed').map(point => point.name);
  if (bailed !== null) names.push(`Bail out! ${bailed}`);
  const counted = {
    passed: count('passed'),
    failed: count('failed') + (bailed === null ? 0 : 1),
    skipped: count('skipped'),
  };
  // Node's totals include tests that its TAP shows as parents. A failure counts even if only one of the two shows it.
  const [summary, ...more] = nodeSummaries(text);
  const results =
    !summary || more.length > 0
      ? resultsOf(counted, names)
      : resultsOf({ ...summary.counts, failed: Math.max(summary.counts.failed, counted.failed) }, names);
  const files = points.filter(point => point.status === 'passed' && point.children.length === 0);
  const allResults = withFiles(
    results,
    files.map(point => point.name),
  );
  const inPlan = points.filter(({ name, status }) => status !== 'failed' || !isOutsideTests(name)).length;
  return planned === inPlan && !open ? allResults : cut(allResults);
};

const isOutsideTests = (name: string): boolean => AVA_ERROR.test(name) || AVA_EXIT.test(name);

/** Parses the top-level test points with their children. */
function pointsOf(text: string): {
  points: Point[];
  planned: number | null;
  bailed: string | null;
  /** Whether the brace of a subtest is not closed. */
  open: boolean;
} {
  const top = pointOf(-1, false, '');
  const path = [top];
  const waiting: Point[] = [];
  let planned: number | null = null;
  let bailed: string | null = null;
  let yamlEnd: string | null = null;
  let last = top;
  for (const line of text.split('\n')) {
    if (yamlEnd !== null) {
      if (line === yamlEnd) yamlEnd = null;
      else last.diagnostic.push(line);
      continue;
    }
    const yaml = /^( +)---$/.exec(line);
    if (yaml) yamlEnd = `${yaml[1]}...`;
    const plan = PLAN.exec(line);
    if (plan) planned = (planned ?? 0) + Number(plan[1]);
    const bail = /^Bail out!\s*(.*)$/.exec(line);
    if (bail) bailed = bail[1]!;
    if (/^ *\}$/.test(line) && path.length > 1) path.pop();
    const match = POINT.exec(line);
    if (!match) {
      if (line.startsWith('  ')) last.text.push(line.slice(2));
      continue;
    }
    const [, indent, not, description] = match;
    const opens = description!.endsWith(' {');
    const point = pointOf(
      indent!.length,
      not !== undefined,
      opens ? description!.slice(0, -2) : description!,
    );
    last = point;
    // Children printed before their parent are indented more than the parent.
    const first = waiting.findLastIndex(other => other.depth <= point.depth) + 1;
    point.children = waiting.splice(first);
    const parent = path.at(-1)!;
    (parent === top ? waiting : parent.children).push(point);
    if (opens) path.push(point);
  }
  return { points: waiting, planned, bailed, open: path.length > 1 };
}

function pointOf(depth: number, not: boolean, description: string): Point {
  const directive = DIRECTIVE.exec(description);
  const name = (directive ? description.slice(0, directive.index) : description)
    .replace(/ # time=.*$/, '')
    .replace(/\\#/g, '#');
  return {
    name: name.trim(),
    status: directive ? 'skipped' : not ? 'failed' : 'passed',
    todo: /^todo$/i.test(directive?.[1] ?? ''),
    depth,
    children: [],
    diagnostic: [],
    text: [],
  };
}

/**
 * Every leaf with the titles above it. Without subtests, as in tape's output, the titles are the comments before a test
 * point.
 */
export const tapTests: ReadTests = text => {
  const { points, planned } = pointsOf(text);
  if (!/^TAP version 1[34]$/m.test(text) && (planned === null || points.length === 0)) return [];
  const nested = /^ *# Subtest: /m.test(text) || points.some(point => point.children.length > 0);
  const headings = nested ? [] : headingsOf(text);
  return points.flatMap((point, n) => leavesOf(point, headings[n] ?? [])).map(testOf);
};

interface Leaf {
  readonly point: Point;
  /** The title of the point and the titles above it. */
  readonly path: readonly string[];
}

/** node-tap reports what a test function throws as one of its assertions, with the message of the error as its title. */
const THROWN_BY_TEST = /^ *tapCaught:/;

function leavesOf(point: Point, above: readonly string[]): Leaf[] {
  const isThrown = above.length > 0 && point.diagnostic.some(line => THROWN_BY_TEST.test(line));
  const own: Leaf = { point, path: isThrown ? above : [...above, point.name] };
  if (point.children.length === 0) return [own];
  const leaves = point.children.flatMap(child => leavesOf(child, own.path));
  const hidden = point.status === 'failed' && !leaves.some(leaf => leaf.point.status === 'failed');
  return hidden ? [...leaves, own] : leaves;
}

const testOf = ({ point, path }: Leaf): TestCase => ({
  name: testName(undefined, path),
  status: point.status,
  ...(point.todo && { todo: true }),
  ...(point.status === 'failed' && { failure: failureIn(point) }),
});

/** node names the kind of failure, vitest and mocha the class of the error, and tape and AVA the assertion. */
function failureIn({ diagnostic, text, name: title }: Point): Failure {
  if (diagnostic.length === 0) return failureInMocha(text);
  const fields = fieldsOf(diagnostic);
  const { failureType, name, code, operator, error, message } = fields;
  const thrown = thrownInAva(diagnostic);
  if (thrown) return failureOf(failureKindOf(thrown), thrown.line);
  // Only tape has messages in its titles.
  const line = message ?? (error || (operator === undefined ? '' : title));
  if (isNodeTap(fields)) return failureOf('assert', line);
  if (failureType === 'testTimeoutFailure') return failureOf('timeout', line);
  if (failureType === 'cancelledByParent') return cancelledTest(line, fields['duration_ms']);
  if (failureType === 'hookFailed') return failureOf('error', line);
  const isTape = failureType === undefined && operator !== undefined && !/^(?:error|fail)$/.test(operator);
  // node prints these fields if the error has them, as the errors of assertion libraries do.
  const isCompared = ['operator', 'expected', 'actual'].every(key => fields[key] !== undefined);
  const isAssertion = isTape || (failureType !== undefined && isCompared);
  return failureOf(isAssertion ? 'assert' : failureKindOf({ name, code, message: line }), line);
}

const MOCHA_TIMEOUT = /^Timeout of \d+ms exceeded\. For async tests and hooks/;

/** Mocha prints the message of an error and then its stack, which repeats the message. */
function failureInMocha(lines: readonly string[]): Failure {
  // The message may imitate a stack.
  const end = lines.findLastIndex(line => !/^ {4}at /.test(line)) + 1;
  const message = lines.slice(0, end / 2).join('\n');
  const stack = lines.slice(end / 2, end).join('\n');
  const thrown = message !== '' && stack.endsWith(message) ? thrownIn(stack) : {};
  return failureOf(MOCHA_TIMEOUT.test(message) ? 'timeout' : failureKindOf(thrown), message);
}

/**
 * AVA reports an error thrown by a test as an AssertionError, with the thrown error in its details. Null for anything
 * else.
 */
function thrownInAva(lines: readonly string[]): { name: string | undefined; line: string } | null {
  const found = lines.map(line => AVA_THROWN.exec(line));
  const at = found.findIndex(match => match !== null);
  if (at < 0) return null;
  const [first = '', second = ''] = lines.slice(at + 1).map(line => line.trim());
  const value = found[at]![1]!;
  return /^[|>]/.test(value)
    ? { name: /^([\w$.]+) \{$/.exec(first)?.[1], line: `${first} ${second}` }
    : { name: undefined, line: value };
}

const AVA_THROWN = /^ *'(?:Error thrown in test|Rejected promise [^:']*):': (.*)$/;

/** Whether node-tap reports a failed assertion: it sets `origin` for errors and `test` for failures of a whole test. */
const isNodeTap = (fields: Readonly<Record<string, string>>): boolean =>
  fields['at'] !== undefined &&
  (fields['stack'] !== undefined || fields['found'] !== undefined) &&
  !['origin', 'test', 'message', 'name'].some(key => fields[key] !== undefined);

/** Top-level fields of a YAML block and those of its `error`. */
function fieldsOf(lines: readonly string[]): Readonly<Record<string, string>> {
  const fields: Record<string, string> = {};
  const depth = indentOf(lines[0] ?? '');
  let parent = '';
  let block: string | null = null;
  for (const line of lines) {
    const deeper = indentOf(line) > depth;
    if (deeper && block !== null) {
      fields[block] = fields[block] ? `${fields[block]}\n${line.trim()}` : line.trim();
      continue;
    }
    const [, key, value] = /^ *(\w+):(?: +(.*))?$/.exec(line) ?? [];
    if (key === undefined || (deeper && parent !== 'error')) continue;
    if (!deeper) parent = key;
    block = /^[|>]/.test(value ?? '') ? key : null;
    fields[key] ??= block === null ? unquoted(value ?? '') : '';
  }
  return fields;
}

const indentOf = (line: string): number => /^ */.exec(line)![0].length;
const unquoted = (text: string): string => text.trim().replace(/^(['"])(.*)\1$/, '$2');

const TOTALS = /^(?:tests|suites|pass|fail|cancelled|skip|skipped|todo|ok|time|duration_ms)\b/;

/** A test that tape skips has no points. */
const LEFT_OUT = /^SKIP /;

/**
 * The comments directly before each top-level test point, in order. tape prints nested tests flat, so a comment
 * without points counts as the title above the next comment. This does not apply if the next comment names a
 * criterion: the first comment may then be a test without assertions, which must not share the proof of the next
 * test. Comments directly after a failed point describe the failure: bats and Perl write them there.
 */
function headingsOf(text: string): string[][] {
  const headings: string[][] = [];
  let path: string[] = [];
  let hasPoints = false;
  let hasFailed = false;
  for (const line of text.split('\n')) {
    const comment = /^# (.+)$/.exec(line)?.[1]?.trim();
    if (hasFailed && line.startsWith('#')) continue;
    hasFailed = /^not ok\b/.test(line);
    if (comment && !TOTALS.test(comment)) {
      if (LEFT_OUT.test(comment)) continue;
      path = hasPoints || criteriaIn(comment).length > 0 ? [comment] : [...path, comment];
      hasPoints = false;
    } else if (POINT.exec(line)?.[1] === '') {
      headings.push(path);
      hasPoints = true;
    } else if (PLAN.test(line)) path = [];
  }
  return headings;
}
