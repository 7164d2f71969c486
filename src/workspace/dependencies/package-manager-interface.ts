/** The interface that each package manager's module implements. */
import type { Folder } from './folder-reader.ts';

/** Package managers of the same runtime. Only one per family is used in a folder. */
export type Family = 'node' | 'python' | 'go' | 'rust';

/** A proposed set-up of a folder. */
export interface Proposed {
  readonly command: string;
  /** The files from which the package manager was recognized. */
  readonly because: string;
  /** Whether the folder has a lockfile or is a workspace root, so that no parent folder installs its packages. */
  readonly isRoot: boolean;
  /** Whether to ignore this runtime if there is another, e.g. because it is used only to format documents. */
  readonly isAccessory?: boolean;
}

export interface PackageManager {
  readonly name: string;
  readonly family: Family;
  /**
   * Null when the folder does not use this package manager. `has` returns whether a program is on PATH, `versionOf` its
   * version, if known.
   */
  propose(
    folder: Folder,
    has: (program: string) => boolean,
    versionOf: (program: string) => string | null,
  ): Promise<Proposed | null>;
}
