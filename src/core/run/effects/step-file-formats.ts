/** Determines the format of a step's file from its specified path or the kind of step. */
import { checksOutputFile } from '../../../formats/check-results.ts';
import { clarificationsFile } from '../../../formats/clarifications.ts';
import { examOutputFile } from '../../../formats/exam/exam-output.ts';
import type { FileFormat } from '../../../formats/schema/define-file.ts';
import type { Step } from '../../../formats/state.ts';
import { resultsFile, testConfigFile, testOutputFile } from '../../../formats/test-config-and-results.ts';
import { verdictFile } from '../../../formats/verdict.ts';

const SPECIFIED: readonly FileFormat[] = [
  clarificationsFile,
  testConfigFile,
  resultsFile,
  verdictFile,
  testOutputFile,
  examOutputFile,
  checksOutputFile,
];

export const verdictPath = ({ folder }: Step): string => `${folder}/verdict.json`;
const testConfigPath = ({ folder }: Step): string => `${folder}/test-config.json`;

/** Null for a file without a format. */
export function formatOf(step: Step, file: string): FileFormat | null {
  if (step.yields === 'verdict' && file === verdictPath(step)) return { ...verdictFile, name: file };
  if (step.yields === 'tests' && file === testConfigPath(step)) return { ...testConfigFile, name: file };
  return SPECIFIED.find(format => format.name === file) ?? null;
}
