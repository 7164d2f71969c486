/** Checks what a run needs before anything is created: known backends, consent, and the configured sandbox. */
import { consents, type Environment } from '../core/policy/environment-allowlist.ts';
import { dureError } from '../errors.ts';
import { type Config, roleSettings } from '../formats/config/config.ts';
import type { Backend } from '../index.ts';
import { SECURITY_GUIDE } from '../process/package-root.ts';
import { findSandbox } from '../process/sandbox/find-sandbox.ts';

export interface BackendChoice {
  readonly config: Config;
  readonly backends: readonly Backend[];
  /** The backend that the user named for the whole run. */
  readonly asked: string | null;
}

/** The requested backend, otherwise the role's, otherwise the project's. Throws `E_BACKEND_UNKNOWN`. */
export function backendForRole({ config, backends, asked }: BackendChoice, role: string): Backend {
  return knownBackend(asked ?? roleSettings(config, role).backend ?? config.global.backend, backends);
}

/** Throws `E_BACKEND_UNKNOWN`. */
export function knownBackend(name: string, backends: readonly Backend[]): Backend {
  const backend = backends.find(each => each.name === name);
  if (backend) return backend;
  const known = backends.map(({ name }) => name).join(', ');
  throw dureError('E_BACKEND_UNKNOWN', { name, known });
}

/** Agents without permission prompts need the user's explicit consent, once, or a sandbox. Throws `E_CONSENT`. */
export function requireConsent(backends: readonly Backend[], kept: Environment, { global }: Config): void {
  if (global.sandbox.mode !== 'off') return;
  if (backends.some(backend => backend.needsConsent !== false) && !consents(kept, global.allow_bypass))
    throw dureError('E_CONSENT', { guide: SECURITY_GUIDE });
}

/** Throws `E_SANDBOX` if the configured sandbox does not work: agents never run without one instead. */
export async function requireSandbox(
  env: Readonly<Record<string, string | undefined>>,
  { mode }: { readonly mode: string },
): Promise<void> {
  if (mode === 'off') return;
  const found = await findSandbox(env);
  if (found.kind === 'none') throw dureError('E_SANDBOX', { mode, why: found.why });
}
