/** The worktree is made ready before any agent works in it; all that the set-up printed is kept in the run folder. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { z } from 'zod';
import { defineFile, hash } from '../../formats/define.ts';
import { load } from '../../formats/file.ts';
import type { Exit, LaunchSpec } from '../../formats/launch.ts';
import { runFiles } from '../../formats/layout.ts';
import { workspaceJob } from '../../formats/workspace-job.ts';
import { marksOf } from '../kill.ts';
import { plain } from '../streams/plain.ts';
import { type Ended, ownLaunch } from './own-launch.ts';
import type { Screen } from './screen.ts';

export const setupJobFile = defineFile(
  'launches/*.setup.json',
  'How the worktree is made ready.',
  z.strictObject({
    worktree: z.string(),
    commit: hash.describe('what the worktree begins with'),
    workspace: workspaceJob,
  }),
);

const LOG_CAP = 20_000_000;
/** Of what was printed, for the person who is asked what to do. */
const LAST_LINES = 20;
const LAST_CHARACTERS = 3000;

type Environment = Readonly<Record<string, string>>;

export const setup = (
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
  const files = runFiles(runDir);
  const job = await load(setupJobFile, files.setupJob(spec.launch));
  if (!job) throw new Error(`${files.setupJob(spec.launch)} is missing`);
  // Loaded here, for no other launch needs it.
  const { prepareWorktree } = await import('../../workspace/prepare-worktree.ts');
  const log = openSync(files.stream(spec.role, spec.launch), 'a', 0o644);
  let written = 0;
  let last = '';
  try {
    const problem = await prepareWorktree(job, {
      env: { ...env, ...marksOf(runDir, spec.launch) },
      signal: asked,
      onOutput(chunk) {
        const text = plain(chunk.toString('utf8'));
        last = `${last}${text}`.slice(-LAST_CHARACTERS);
        screen.say(text.trimEnd());
        if (written < LOG_CAP) written += writeSync(log, chunk);
      },
    });
    if (problem === null) return { outcome: 'ok', kind: null, message: 'the worktree is ready' };
    const lines = last.trim().split('\n').slice(-LAST_LINES).join('\n');
    return { outcome: 'error', kind: 'permission', message: lines ? `${problem}\n\n${lines}` : problem };
  } finally {
    closeSync(log);
  }
}
