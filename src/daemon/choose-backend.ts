/** Chooses the backend of a role by its configured name. */

import { asTyped, dureError } from '../errors.ts';
import { type Config, roleSettings } from '../formats/config/config.ts';
import type { Backend } from '../index.ts';

export interface BackendChoice {
  readonly config: Config;
  readonly backends: readonly Backend[];
  /** The backend that the user named for the whole run; null if none. */
  readonly asked: string | null;
}

/** Returns the requested backend, otherwise the role's, otherwise the project's. Throws `E_BACKEND_UNKNOWN`. */
export function backendForRole({ config, backends, asked }: BackendChoice, role: string): Backend {
  return knownBackend(asked ?? roleSettings(config, role).backend ?? config.global.backend, backends);
}

/** Throws `E_BACKEND_UNKNOWN`. */
export function knownBackend(name: string, backends: readonly Backend[]): Backend {
  const backend = backends.find(each => each.name === name);
  if (backend) return backend;
  const known = backends.map(({ name }) => name).join(', ');
  throw dureError('E_BACKEND_UNKNOWN', { name: asTyped(name), known });
}
