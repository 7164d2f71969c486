/**
 * Stores the environment of the shell that starts or resumes a run, for the next agents. Keeps the previous
 * environment if only that one has credentials or declares a sandbox.
 */

import type { Config } from '../../../formats/config/config.ts';
import type { RunOptions } from '../../../formats/config/run-options.ts';
import { unlessDiskFails } from '../../../formats/file-system/temporary-disk-errors.ts';
import type { RunFiles } from '../../../formats/layout.ts';
import type { RunState } from '../../../formats/state.ts';
import type { Backend } from '../../../index.ts';
import { type Environment, keptEnvironment, startEnvironment } from '../../policy/environment-allowlist.ts';
import { mayBypass } from '../../policy/permission-bypass.ts';
import { agentRolesOf } from '../../policy/pipeline/look-up-steps.ts';
import { backendOf } from '../run-context.ts';
import { readEnvironment, writeEnvironment } from './environment-variable-store.ts';

export interface ShellEnvironmentOptions {
  readonly files: RunFiles;
  readonly options: RunOptions;
  readonly config: Config;
  readonly state: RunState;
  readonly backends: readonly Backend[];
  /** Environment of the shell. */
  readonly shell: Readonly<Record<string, string | undefined>>;
}

/** What the previous environment has and this shell lacks. */
export interface MissingCredentials {
  readonly of: 'credentials' | 'consent';
  readonly backend: string;
}

/** Returns why the previous environment was kept; null if this shell's was stored. */
export async function saveEnvironment(request: ShellEnvironmentOptions): Promise<MissingCredentials | null> {
  const { files, options, backends, shell } = request;
  const folder = options.environment;
  const now = keptEnvironment(shell, backends);
  const before = await readEnvironment(folder).catch(unlessDiskFails(null));
  const missing = before && (await missingCredentials(request, now, before));
  if (missing) return missing;
  await writeEnvironment(folder, files, now);
  return null;
}

async function missingCredentials(
  { state, config, ...context }: ShellEnvironmentOptions,
  now: Environment,
  before: Environment,
): Promise<MissingCredentials | null> {
  const mayRun = (environment: Environment) => mayBypass(environment, state.setup);
  for (const role of agentRolesOf(state.setup)) {
    const backend = backendOf(context, state.setup, role);
    if (!backend) continue;
    const { name } = backend;
    if ((await isLoggedIn(backend, before)) && !(await isLoggedIn(backend, now)))
      return { of: 'credentials', backend: name };
    if (state.setup.sandbox) continue;
    if (backend.needsConsent !== false && mayRun(before) && !mayRun(now))
      return { of: 'consent', backend: name };
  }
  return null;
}

const isLoggedIn = async (backend: Backend, kept: Environment): Promise<boolean> =>
  (await backend.isLoggedIn?.(startEnvironment(kept, backend))) ?? true;
