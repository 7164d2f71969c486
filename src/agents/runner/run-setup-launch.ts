/** The set-up launch: prepares the worktree before any agent works in it. Its output is kept in the run folder. */

import { writeSync } from 'node:fs';
import { setupJob } from '../../formats/launch-jobs.ts';
import { openForAppend } from '../../formats/open-file-for-append.ts';
import { defineFile } from '../../formats/schema/define-file.ts';
import { joinEnds, keepEnds, linesOmitted } from '../../formats/text/output-head-and-tail.ts';
import { secretFilter } from '../../process/redact-secrets.ts';
import { kindOfFailedProcess } from './determine-launch-outcome.ts';
import { runAutomatedLaunch } from './run-automated-launch.ts';

const LOG_CAP = 20_000_000;
/** Number of lines from each end of the output to include in the question to the user. */
const LINES = 10;

const setupJobFile = defineFile('launches/*.setup.json', 'How to prepare the worktree.', setupJob);

export const runSetupLaunch = runAutomatedLaunch(
  setupJobFile,
  files => files.setupJob,
  async ({ files, spec, job, env, signal, echo }) => {
    // Loaded here because no other launch needs it.
    const { setUpWorktree } = await import('../../workspace/set-up-worktree.ts');
    const log = await openForAppend(files.stream(spec.role, spec.launch));
    let written = 0;
    const output = keepEnds(LINES);
    const shown = secretFilter(text => {
      output.add(text);
      if (written < LOG_CAP) written += writeSync(log.fd, text);
    });
    try {
      const { problem, without, missing } = await setUpWorktree(job, {
        env,
        signal,
        onOutput(chunk) {
          shown.push(chunk);
          echo(chunk);
        },
      });
      shown.end();
      if (problem === null)
        return {
          outcome: 'ok',
          kind: null,
          message: [
            'the worktree is ready',
            ...(without ? [`skipped because of failures on base: ${without.builds.join(', ')}`] : []),
            ...(missing.length > 0 ? [`not installed because unavailable: ${missing.join(', ')}`] : []),
          ].join('; '),
          ...(without && { without }),
          ...(missing.length > 0 && { missing: [...missing] }),
        };
      const lines = joinEnds(output.ends(), linesOmitted);
      const message = lines ? `${problem}\n\n${lines}` : problem;
      return { outcome: 'error', kind: kindOfFailedProcess(message), message };
    } finally {
      await log.close();
    }
  },
);
