/** What each package manager's file says about it. */
import type { Folder } from './folder.ts';

/** Tools that install for the same runtime: of those only one counts in a folder. */
export type Family = 'node' | 'python' | 'go' | 'rust';

/** What sets up a folder. */
export interface Proposed {
  readonly command: string;
  /** The files that say so. */
  readonly because: string;
  /** True for a lockfile or the root of a workspace: no folder further up installs for this one. */
  readonly isRoot: boolean;
  /** True when another runtime's manifest beside it makes this one an accessory, e.g. for formatting documents. */
  readonly isAccessory?: boolean;
}

export interface Ecosystem {
  readonly name: string;
  readonly family: Family;
  /** Null when the folder is none of its own. `has` tells which programs there are on PATH. */
  propose(folder: Folder, has: (program: string) => boolean): Promise<Proposed | null>;
}
