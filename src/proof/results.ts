/**
 * Reads how many tests passed from what a test command printed and wrote. Pure.
 *
 * Everything is asked: report files, both streams, every format. One that tells of failures is the result, so that none
 * can hide behind another that tells of none. A run may be told of twice, in TAP on the console and in JUnit in a file:
 * therefore formats are never added up, nor a file and the console. Without failures the result is the report with the
 * most tests; one that was cut counts only where none is whole, and a summary for people only where there is no report.
 */
import type { TestConfig } from '../formats/tests.ts';
import { readCargo } from './formats/cargo.ts';
import { readConsole } from './formats/console.ts';
import { readGoJson, readGoText } from './formats/go.ts';
import { readJsonReporter } from './formats/json-reporter.ts';
import { readJunit } from './formats/junit.ts';
import { readMochaJson } from './formats/mocha-json.ts';
import { readNodeSummary } from './formats/node-summary.ts';
import { readPytest, readUnittest } from './formats/python.ts';
import { readTap } from './formats/tap.ts';
import { plain } from './formats/text.ts';
import { addUp, type ReadReport, type Results } from './report.ts';

export type { Results } from './report.ts';

/** All that a test command left behind. */
export interface Output {
  readonly stdout: string;
  readonly stderr: string;
  readonly files: readonly { readonly name: string; readonly text: string }[];
}

/** Reports made for machines; they say themselves where they end. */
const REPORTS: readonly ReadReport[] = [readJsonReporter, readMochaJson, readJunit, readTap];
const SUMMARIES: readonly ReadReport[] = [
  readNodeSummary,
  readConsole,
  readGoJson,
  readGoText,
  readCargo,
  readPytest,
  readUnittest,
];

export function readResults(output: Output, framework: TestConfig['test_framework']): Results | null {
  const first = framework === 'mocha' ? [readMochaJson] : [];
  const reports = [...first, ...REPORTS.filter(read => !first.includes(read))];
  const files = output.files.map(file => file.text);
  const printed = [plain(output.stdout), plain(output.stderr)];
  const found = (readers: readonly ReadReport[]): Results[] =>
    [files, printed].flatMap(texts =>
      readers.flatMap(read => addUp(texts.flatMap(text => read(text) ?? [])) ?? []),
    );
  const told = [
    ...found(reports),
    ...found(SUMMARIES).map((results): Results => ({ ...results, doubt: 'summary' })),
  ];
  const most = (doubt?: Results['doubt']) =>
    told
      .filter(results => results.doubt === doubt)
      .reduce<Results | null>((a, b) => (a && a.counts.total >= b.counts.total ? a : b), null);
  return told.find(({ counts }) => counts.failed > 0) ?? most() ?? most('cut') ?? most('summary');
}
