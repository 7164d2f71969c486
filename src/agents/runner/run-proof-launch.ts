/** The proof launch: runs the sealed tests on the sealed result and writes what they report. */
import { z } from 'zod';
import { hash } from '../../formats/common-fields.ts';
import { defineFile } from '../../formats/define-file.ts';
import { testConfigFile } from '../../formats/test-run-files.ts';
import { workspaceJob } from '../../formats/workspace-job.ts';
import { runAutomatedLaunch } from './run-automated-launch.ts';

export const proofJobFile = defineFile(
  'launches/*.proof.json',
  'Which trees to test, and how.',
  z.strictObject({
    config: testConfigFile.shape,
    base: hash,
    commit: hash,
    tree: hash,
    tests_tree: hash,
    workspace: workspaceJob,
  }),
);

export const runProofLaunch = runAutomatedLaunch(
  proofJobFile,
  files => files.proofJob,
  async ({ runDir, launch, job, env, signal, echo }) => {
    // Loaded here because no other launch needs it.
    const { proveLaunch } = await import('../../proof/run-proof.ts');
    const output = await proveLaunch({ runDir, launch, job, env, signal, echo });
    return { outcome: 'ok', kind: null, message: output.problem ?? output.machine };
  },
);
