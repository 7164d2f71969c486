/** Reads the exam that was recorded for the current result. Only a file with the recorded contents counts. */
import { type ExamOutput, examOutputFile } from '../../../formats/exam/exam-output.ts';
import type { RunFiles } from '../../../formats/layout.ts';
import { readValue } from '../../../formats/read-and-write-files.ts';
import type { RunState } from '../../../formats/state.ts';
import { sha256 } from '../../../formats/text/sha256.ts';
import { examOf } from '../../policy/state/current-results.ts';

export const examHash = (output: ExamOutput): string => sha256(JSON.stringify(output));

/** Null if there was no exam of this result, or if the file has changed since. */
export async function recordedExam(files: RunFiles, s: RunState): Promise<ExamOutput | null> {
  const recorded = examOf(s);
  if (!recorded) return null;
  const exam = await readValue(examOutputFile, files.exam);
  return exam && examHash(exam) === recorded.hash ? exam : null;
}
