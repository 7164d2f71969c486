/**
 * Reads how many tests passed from what a test command printed and wrote. Pure.
 * A report file is believed before the output: what tests print themselves cannot come between.
 */
import type { TestConfig } from '../formats/tests.ts';
import { readConsole } from './formats/console.ts';
import { readJsonReporter } from './formats/json-reporter.ts';
import { readJunit } from './formats/junit.ts';
import { readMochaJson } from './formats/mocha-json.ts';
import { readNodeSummary } from './formats/node-summary.ts';
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

/** From the most exact to the least: a summary for people is read only when there is nothing better. */
const READERS: readonly ReadReport[] = [
  readJsonReporter,
  readMochaJson,
  readJunit,
  readTap,
  readNodeSummary,
  readConsole,
];

export function readResults(output: Output, framework: TestConfig['test_framework']): Results | null {
  const readers =
    framework === 'mocha' ? [readMochaJson, ...READERS.filter(read => read !== readMochaJson)] : READERS;
  const files = output.files.map(file => file.text);
  const printed = [plain(output.stdout), plain(output.stderr)];
  for (const texts of [files, printed]) {
    for (const read of readers) {
      const found = addUp(texts.map(read).filter(results => results !== null));
      if (found) return found;
    }
  }
  return null;
}
