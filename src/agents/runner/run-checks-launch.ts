/** The checks launch: runs the project's own checks on a sealed result. */

import { checksJob } from '../../formats/launch-jobs.ts';
import { replace, replaceJson } from '../../formats/read-and-write-files.ts';
import { defineFile } from '../../formats/schema/define-file.ts';
import { packageVersion } from '../../process/package-paths-and-version.ts';
import { withoutSecrets } from '../../process/redact-secrets.ts';
import { runAutomatedLaunch } from './run-automated-launch.ts';

export const checksJobFile = defineFile(
  'launches/*.checks.json',
  'Which result to check, against which base, and how.',
  checksJob,
);

/** The log is written first, so that it exists whenever the result does. */
export const runChecksLaunch = runAutomatedLaunch(
  checksJobFile,
  files => files.checksJob,
  async context => {
    // Loaded here because no other launch needs it.
    const { runChecks } = await import('../../proof/checks/run-checks.ts');
    const { output, log } = await runChecks({ ...context, version: packageVersion });
    await replace(context.files.checksLog, withoutSecrets(log));
    await replaceJson(context.files.checks, output);
    const message = output.checks.map(({ name, status }) => `${name}: ${status}`).join(', ');
    return { outcome: 'ok', kind: null, message };
  },
);
