/** A launch whose agent is Dure itself: the project's own checks of a sealed result. */
import { z } from 'zod';
import { check } from '../../formats/checks.ts';
import { defineFile, hash } from '../../formats/define.ts';
import { load, replace, replaceJson } from '../../formats/file.ts';
import type { Exit, LaunchSpec } from '../../formats/launch.ts';
import { runFiles } from '../../formats/layout.ts';
import { workspaceJob } from '../../formats/workspace-job.ts';
import { marksOf } from '../kill.ts';
import { plain } from '../streams/plain.ts';
import { type Ended, ownLaunch } from './own-launch.ts';
import type { Screen } from './screen.ts';

export const checksJobFile = defineFile(
  'launches/*.checks.json',
  'Which result is to be checked, against which base, and how.',
  z.strictObject({
    checks: z.array(check),
    commit: hash,
    tree: hash,
    base: hash,
    base_tree: hash,
    workspace: workspaceJob,
  }),
);

export const checks = (
  runDir: string,
  spec: LaunchSpec,
  env: Readonly<Record<string, string>>,
  screen: Screen,
  asked: AbortSignal,
): Promise<Exit> => ownLaunch(runDir, spec, asked, () => run(runDir, spec, env, screen, asked));

/** The log is written first, so that whoever finds the result finds the log as well. */
async function run(
  runDir: string,
  spec: LaunchSpec,
  env: Readonly<Record<string, string>>,
  screen: Screen,
  signal: AbortSignal,
): Promise<Ended> {
  const files = runFiles(runDir);
  const job = await load(checksJobFile, files.checksJob(spec.launch));
  if (!job) throw new Error(`${files.checksJob(spec.launch)} is missing`);
  // Loaded here, for no other launch needs it.
  const { runChecks } = await import('../../proof/checks/run-checks.ts');
  const { output, log } = await runChecks({
    runDir,
    launch: spec.launch,
    job,
    env: { ...env, ...marksOf(runDir, spec.launch) },
    signal,
    echo: chunk => screen.say(plain(chunk.toString('utf8').trimEnd())),
  });
  await replace(files.checksLog, log);
  await replaceJson(files.checks, output);
  const message = output.checks.map(({ name, status }) => `${name}: ${status}`).join(', ');
  return { outcome: 'ok', kind: null, message };
}
