/**
 * Reads test counts from the output and report files of a test command. This module is pure.
 *
 * All sources are read: report files, both streams, every format. A report with failures wins, so that a report
 * without failures cannot hide it. The same tests may be reported twice, as TAP on the console and JUnit in a file,
 * so counts are never added across formats or between files and console. If there are no failures, the report with
 * the most tests wins. A truncated report is used only when none is complete, and a console summary only when there
 * is no report.
 */
import type { TestConfig } from '../formats/test-config-and-results.ts';
import { readCargo } from './report-readers/cargo.ts';
import { readGoJson, readGoText } from './report-readers/go.ts';
import { readJunit } from './report-readers/junit.ts';
import { readMochaJson } from './report-readers/mocha-json.ts';
import { readNodeSummary } from './report-readers/node-summary.ts';
import { readPytest } from './report-readers/pytest.ts';
import { packageOutputs } from './report-readers/split-output-by-package.ts';
import { stripAnsi } from './report-readers/strip-ansi.ts';
import { readTap } from './report-readers/tap.ts';
import { readUnittest } from './report-readers/unittest.ts';
import { readJsonReporter } from './report-readers/vitest-jest-json.ts';
import { readVitestJestMochaSummary } from './report-readers/vitest-jest-mocha-summary.ts';
import { addUp, type ReadReport, type TestResults } from './test-results.ts';

/** What a test command printed, and the report files that it wrote. */
export interface CommandOutput {
  readonly stdout: string;
  readonly stderr: string;
  readonly files: readonly { readonly name: string; readonly text: string }[];
}

/** Machine-readable reports, which have an explicit end. */
const REPORTS: readonly ReadReport[] = [readJsonReporter, readMochaJson, readJunit, readTap];
const SUMMARIES: readonly ReadReport[] = [
  readNodeSummary,
  readVitestJestMochaSummary,
  readGoJson,
  readGoText,
  readCargo,
  readPytest,
  readUnittest,
];

export function readResults(
  output: CommandOutput,
  framework: TestConfig['test_framework'],
): TestResults | null {
  const first = framework === 'mocha' ? [readMochaJson] : [];
  const reports = [...first, ...REPORTS.filter(read => !first.includes(read))];
  const files = output.files.map(file => file.text);
  const printed = [output.stdout, output.stderr].flatMap(text =>
    packageOutputs(stripAnsi(text)).map(part => part.text),
  );
  const found = (readers: readonly ReadReport[]): TestResults[] =>
    [files, printed].flatMap(texts =>
      readers.flatMap(read => addUp(texts.flatMap(text => read(text) ?? [])) ?? []),
    );
  const candidates = [
    ...found(reports),
    ...found(SUMMARIES).map((results): TestResults => ({ ...results, doubt: 'summary' })),
  ];
  const most = (doubt?: TestResults['doubt']) =>
    candidates
      .filter(results => results.doubt === doubt)
      .reduce<TestResults | null>((a, b) => (a && a.counts.total >= b.counts.total ? a : b), null);
  return candidates.find(({ counts }) => counts.failed > 0) ?? most() ?? most('cut') ?? most('summary');
}
