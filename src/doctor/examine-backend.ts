/** Examines a run's backends: each one tests itself, with the environment that its agents would get. */
import { rm } from 'node:fs/promises';
import { type Environment, startEnvironment } from '../core/policy/environment-allowlist.ts';
import { temporaryFolder } from '../formats/file-system/temporary-folder.ts';
import type { Backend } from '../index.ts';
import { type Finding, ok, problem } from './finding.ts';

export interface BackendUse {
  readonly backend: Backend;
  readonly model: string;
}

export async function examineBackend(
  { backend, model }: BackendUse,
  kept: Environment,
  online: boolean,
  signal: AbortSignal,
): Promise<Finding> {
  const { name } = backend;
  const env = startEnvironment(kept, backend);
  if (!backend.probe)
    return ((await backend.isLoggedIn?.(env)) ?? true)
      ? ok(name, w => w.backend(''))
      : problem(name, w => w.fault.login('', undefined));
  const scratch = await temporaryFolder('dure-doctor-');
  try {
    const { fault, seen, fix } = await backend.probe({ model, env, scratch, online, signal });
    return fault === undefined
      ? ok(name, w => w.backend(seen))
      : problem(name, w => w.fault[fault](seen, fix));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
