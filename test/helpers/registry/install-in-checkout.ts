/** Runs a set-up command in a checkout, as the set-up of a run does. */
import { join } from 'node:path';
import { findSandbox } from '../../../src/process/sandbox/find-sandbox.ts';
import {
  type InstallResult,
  installDependencies,
} from '../../../src/workspace/dependencies/install-dependencies.ts';

export interface TestInstall {
  readonly checkout: string;
  readonly command: string;
  readonly directory?: string;
  readonly env: Record<string, string>;
}

/** The state folder is in `top`. */
export async function installIn(
  top: string,
  { directory = '.', env, ...given }: TestInstall,
): Promise<InstallResult & { ok: boolean; reused: boolean; log: string }> {
  let log = '';
  const done = await installDependencies({
    ...given,
    directory,
    env,
    sandbox: await findSandbox(env),
    stateFolder: join(top, 'state'),
    onOutput: chunk => {
      log += chunk.toString('utf8');
    },
    signal: new AbortController().signal,
  });
  return { ...done, ok: done.problem === null, reused: /^Reused prepared /m.test(log), log };
}
