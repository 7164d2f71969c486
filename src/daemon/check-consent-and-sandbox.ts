/** Checks that agents may run (with the user's consent or in a working sandbox) before anything is created. */
import type { Environment } from '../core/policy/environment-allowlist.ts';
import { consents } from '../core/policy/permission-bypass.ts';
import { dureError } from '../errors.ts';
import type { Config } from '../formats/config/config.ts';
import type { Backend } from '../index.ts';
import { SECURITY_GUIDE } from '../process/package-paths-and-version.ts';
import { findSandbox } from '../process/sandbox/find-sandbox.ts';

/** Requires a sandbox or the user's consent for agents without permission prompts. Throws `E_CONSENT`. */
export function requireConsent(backends: readonly Backend[], kept: Environment, { global }: Config): void {
  if (global.sandbox.mode !== 'off') return;
  if (backends.some(backend => backend.needsConsent !== false) && !consents(kept, global.allow_bypass))
    throw dureError('E_CONSENT', { guide: SECURITY_GUIDE });
}

/** Throws `E_SANDBOX` if the configured sandbox does not work: agents are never started without it. */
export async function requireSandbox(
  env: Readonly<Record<string, string | undefined>>,
  { mode }: { readonly mode: string },
): Promise<void> {
  if (mode === 'off') return;
  const found = await findSandbox(env);
  if (found.kind === 'none') throw dureError('E_SANDBOX', { mode, why: found.why });
}
