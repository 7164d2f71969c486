/**
 * Runs the project's checks on the sealed result while an agent works (see proof/checks/run-checks-ahead.ts). This
 * happens only in a sandbox; otherwise the checks and the agent would share ports and temporary files, and the agent
 * could see what the checks do.
 */

import { runFiles } from '../../formats/layout.ts';
import { load } from '../../formats/read-and-write-files.ts';
import { marksOf } from '../../process/kill.ts';
import { packageVersion } from '../../process/package-paths-and-version.ts';
import type { BackgroundWork } from './run-agent.ts';

/** `env` is the environment of the checks; null if no checks are to run. */
export function checksAhead(
  runDir: string,
  launch: number,
  env: Readonly<Record<string, string>> | null,
  stopSignal: AbortSignal,
): BackgroundWork {
  const stopped = new AbortController();
  const stop = (): void => stopped.abort();
  stopSignal.addEventListener('abort', stop);
  const { signal } = stopped;
  let ended = Promise.resolve();
  return {
    start() {
      if (env === null || stopSignal.aborted) return;
      // Ignores any error: the checks step will encounter it again and report it.
      ended = run(runDir, launch, { ...env, ...marksOf(runDir, launch) }, signal).catch(() => {});
    },
    stop,
    ended: () => ended,
  };
}

/** Imports its modules on demand, so that the agent does not wait for them. */
async function run(
  runDir: string,
  launch: number,
  env: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<void> {
  const { findSandbox } = await import('../../process/sandbox/find-sandbox.ts');
  if ((await findSandbox(env)).kind === 'none') return;
  const [{ checksJobFile }, { runAhead }] = await Promise.all([
    import('./run-checks-launch.ts'),
    import('../../proof/checks/run-checks-ahead.ts'),
  ]);
  const job = await load(checksJobFile, runFiles(runDir).checksJob(launch));
  signal.throwIfAborted();
  if (job) await runAhead({ runDir, launch, version: packageVersion, job, env, signal, echo: () => {} });
}
