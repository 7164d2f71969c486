/** The exam launch: runs the sealed tests on modified versions of the code and writes what they detect. */

import type { ExamOutput } from '../../formats/exam/exam-output.ts';
import { EXAM_RUNS_LIMIT, type ExamRuns, examRunsFile } from '../../formats/exam/runs-of-unfinished-exam.ts';
import { unlessDiskFails } from '../../formats/file-system/temporary-disk-errors.ts';
import { examJob } from '../../formats/launch-jobs.ts';
import type { RunFiles } from '../../formats/layout.ts';
import { load, replaceJson } from '../../formats/read-and-write-files.ts';
import { defineFile } from '../../formats/schema/define-file.ts';
import { sha256 } from '../../formats/text/sha256.ts';
import { runAutomatedLaunch } from './run-automated-launch.ts';

const examJobFile = defineFile('launches/*.exam.json', 'Which tests to examine, on which trees.', examJob);

export const runExamLaunch = runAutomatedLaunch(
  examJobFile,
  files => files.examJob,
  async context => {
    const { files, launch, job } = context;
    // Loaded here because no other launch needs it.
    const { runExam } = await import('../../proof/exam/run-exam.ts');
    const output = await runExam({
      ...context,
      earlier: job.earlier ? await keptRuns(files, job.earlier) : null,
      async keep(runs) {
        await replaceJson(files.examRuns(launch), runs);
        return { launch, hash: hashOf(runs) };
      },
    });
    await replaceJson(files.exam, output);
    return { outcome: 'ok', kind: null, message: output.problem ?? 'examined' };
  },
);

const hashOf = (runs: ExamRuns): string => sha256(JSON.stringify(examRunsFile.shape.parse(runs)));

/** Reads the test runs that an earlier launch kept; null if they are missing or altered: the exam then starts over. */
async function keptRuns(
  files: RunFiles,
  { launch, hash }: NonNullable<ExamOutput['runs']>,
): Promise<ExamRuns | null> {
  const runs = await load(examRunsFile, files.examRuns(launch), EXAM_RUNS_LIMIT).catch(unlessDiskFails(null));
  return runs && hashOf(runs) === hash ? runs : null;
}
