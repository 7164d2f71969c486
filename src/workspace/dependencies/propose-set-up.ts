/**
 * Proposes the set-up command for a fresh tree from its lockfiles and manifests. It only reads files and does not run
 * the project's code.
 */
import { join } from 'node:path';
import { type ReadFolder, readUnignored } from './folder-reader.ts';
import { NODE_PACKAGE_MANAGERS } from './node/propose-node-set-up.ts';
import type { PackageManager, Proposed } from './package-manager-interface.ts';
import { type ProgramEnvironment, programOnPath, versionOnPath } from './programs-on-path.ts';
import { cargo } from './propose-cargo-set-up.ts';
import { go } from './propose-go-set-up.ts';
import { pip } from './python/propose-pip-set-up.ts';
import { uv } from './python/propose-uv-set-up.ts';

const PACKAGE_MANAGERS: readonly PackageManager[] = [...NODE_PACKAGE_MANAGERS, uv, pip, go, cargo];

export interface SetupProposal {
  /** Names of the package managers. */
  readonly tool: string;
  readonly command: string;
  /** The files from which the package managers were recognized. */
  readonly because: string;
}

/** A recognized package manager and the folder in which it installs packages, relative to the root. */
export interface Recognized extends Proposed {
  readonly name: string;
  readonly family: PackageManager['family'];
  readonly folder: string;
}

/**
 * `directory` is the folder in which tests run, relative to `root`. Its manifests may be in a parent folder.
 * A file that git ignores, such as a lockfile left over from a local install, is not in any commit, so it counts as
 * absent.
 */
export async function proposeSetup(
  root: string,
  directory: string,
  env: ProgramEnvironment = process.env,
): Promise<SetupProposal | null> {
  const all = await recognize(root, directory, readUnignored, env);
  const main = all.some(one => !one.isAccessory) ? all.filter(one => !one.isAccessory) : all;
  if (main.length === 0) return null;
  return {
    tool: main.map(one => one.name).join(', '),
    command: main.map(one => one.command).join(' && '),
    because: main.map(one => (one.folder === '.' ? one.because : `${one.folder}: ${one.because}`)).join('; '),
  };
}

/**
 * Returns one package manager per runtime used in the nearest folder with a manifest, each with the folder of
 * its lockfile or workspace root.
 */
export async function recognize(
  root: string,
  directory: string,
  read: ReadFolder,
  env: ProgramEnvironment = process.env,
): Promise<Recognized[]> {
  const has = (program: string): boolean => programOnPath(program, env) !== null;
  const versionOf = (program: string): string | null => versionOnPath(program, env);
  const found = new Map<PackageManager['family'], Recognized>();
  for (const at of parentFolders(directory)) {
    const folder = await read(join(root, at));
    const isNearest = found.size === 0;
    for (const manager of PACKAGE_MANAGERS) {
      const known = found.get(manager.family);
      if (known ? known.isRoot : !isNearest) continue;
      const proposed = await manager.propose(folder, has, versionOf);
      if (proposed && (!known || proposed.isRoot))
        found.set(manager.family, {
          ...proposed,
          name: manager.name,
          family: manager.family,
          folder: at,
        });
    }
  }
  return [...found.values()];
}

/** Returns a folder and its parents up to the root: `a/b`, `a`, `.`. */
export function parentFolders(directory: string): string[] {
  const parts = directory.split('/').filter(part => part !== '' && part !== '.');
  return [...parts.map((_, i) => parts.slice(0, parts.length - i).join('/')), '.'];
}
