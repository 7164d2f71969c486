/** The tests of sealed trees are run, and what happened is written down. */
import { z } from 'zod';
import { defineFile, hash } from '../../formats/define.ts';
import { load } from '../../formats/file.ts';
import type { Exit, LaunchSpec } from '../../formats/launch.ts';
import { runFiles } from '../../formats/layout.ts';
import { testConfigFile } from '../../formats/tests.ts';
import { workspaceJob } from '../../formats/workspace-job.ts';
import { marksOf } from '../kill.ts';
import { plain } from '../streams/plain.ts';
import { type Ended, ownLaunch } from './own-launch.ts';
import type { Screen } from './screen.ts';

export const proofJobFile = defineFile(
  'launches/*.proof.json',
  'Which trees are to be proven, and how.',
  z.strictObject({
    config: testConfigFile.shape,
    base: hash,
    commit: hash,
    tree: hash,
    tests_tree: hash,
    workspace: workspaceJob,
  }),
);

type Environment = Readonly<Record<string, string>>;

export const proof = (
  runDir: string,
  spec: LaunchSpec,
  env: Environment,
  screen: Screen,
  asked: AbortSignal,
): Promise<Exit> => ownLaunch(runDir, spec, asked, () => run(runDir, spec, env, screen, asked));

async function run(
  runDir: string,
  spec: LaunchSpec,
  env: Environment,
  screen: Screen,
  asked: AbortSignal,
): Promise<Ended> {
  const file = runFiles(runDir).proofJob(spec.launch);
  const job = await load(proofJobFile, file);
  if (!job) throw new Error(`${file} is missing`);
  // Loaded here, for no other launch needs it.
  const { proveLaunch } = await import('../../proof/main.ts');
  const output = await proveLaunch({
    runDir,
    launch: spec.launch,
    job,
    env: { ...env, ...marksOf(runDir, spec.launch) },
    signal: asked,
    echo: chunk => screen.say(plain(chunk.toString('utf8').trimEnd())),
  });
  return { outcome: 'ok', kind: null, message: output.problem ?? output.machine };
}
