/** The proof launch: runs the sealed tests on the sealed result and writes what they report. */

import { proofJob } from '../../formats/launch-jobs.ts';
import { defineFile } from '../../formats/schema/define-file.ts';
import { runAutomatedLaunch } from './run-automated-launch.ts';

const proofJobFile = defineFile('launches/*.proof.json', 'Which trees to test, and how.', proofJob);

export const runProofLaunch = runAutomatedLaunch(
  proofJobFile,
  files => files.proofJob,
  async context => {
    // Loaded here because no other launch needs it.
    const { proveLaunch } = await import('../../proof/run-proof.ts');
    const output = await proveLaunch(context);
    return { outcome: 'ok', kind: null, message: output.problem ?? output.machine };
  },
);
