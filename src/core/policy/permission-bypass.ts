/** Decides whether agents may skip permission prompts. Pure. */

import type { Setup } from '../../formats/state.ts';
import { type Environment, SANDBOX } from './environment-allowlist.ts';

/**
 * Whether agents may act without permission prompts, either because the configuration allows it or because they run in
 * a sandbox.
 */
export const consents = (kept: Environment, allowBypass: boolean): boolean =>
  allowBypass || kept[SANDBOX] === '1';

/** Whether agents of the run may act without permission prompts when they are not in Dure's sandbox. */
export const mayBypass = (kept: Environment, { agents }: Pick<Setup, 'agents'>): boolean =>
  consents(kept, agents.allow_bypass);
