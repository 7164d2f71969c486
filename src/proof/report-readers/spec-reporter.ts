/**
 * Reads the indented lists that mocha and node print: groups, with one marked line per test below them. Test output may
 * look like such lines, so they are read only if there is no report.
 */
import { type ReadTests, type TestCase, testName } from '../test-results.ts';

interface Style {
  readonly group: RegExp;
  /** The line with the totals. Failures are repeated below it. */
  readonly totals: RegExp;
}
const STYLES: readonly Style[] = [
  { group: /^((?: {2})+)(\S.*)$/, totals: /^ {2}\d+ passing \(.+\)$/m },
  { group: /^( *)▶ (.+?)(?: \([\d.]+ms\))?$/, totals: /^ℹ tests \d+$/m },
];
const TEST = /^( *)(✔|✓|√|✖|✗|×|\d+\)|-|﹣) (.+?)(?: \(\d+(?:\.\d+)?m?s\))?( # (?:SKIP|TODO).*)?$/;

/** Reads only a single list: with two, the failures of the first would be read as tests of the second. */
export const specListTests: ReadTests = text => {
  for (const { group, totals } of STYLES) {
    const [list, ...more] = text.split(totals);
    if (more.length === 1) return listed(list!.split('\n'), group);
  }
  return [];
};

function listed(lines: readonly string[], group: RegExp): TestCase[] {
  const tests: TestCase[] = [];
  let path: { indent: number; title: string }[] = [];
  for (const line of lines) {
    const test = TEST.exec(line);
    const opened = test ? null : group.exec(line);
    const indent = (test ?? opened)?.[1]?.length;
    if (indent === undefined) continue;
    path = path.filter(above => above.indent <= indent);
    const same = path.at(-1)?.indent === indent ? path.pop() : undefined;
    if (opened) path.push({ indent, title: opened[2]! });
    if (!test) continue;
    const [, , mark, title, directive] = test;
    // Node closes a group with a line that looks like a test of the same name.
    if (same?.title === title) continue;
    const status = directive || /[-﹣]/.test(mark!) ? 'skipped' : /[✔✓√]/.test(mark!) ? 'passed' : 'failed';
    tests.push({ name: testName(undefined, [...path.map(above => above.title), title!]), status });
  }
  return tests;
}
