/**
 * Lists the packages in node_modules, including nested ones, which the loopback registry offers. Packages for other
 * platforms are not installed, so they are left out of optional dependencies.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly [key: string]: unknown;
}

export interface Installed {
  readonly folder: string;
  readonly manifest: Manifest;
}

/** Keyed by name, each version once. */
export async function installedPackages(nodeModules: string): Promise<Map<string, Installed[]>> {
  const found = new Map<string, Installed[]>();
  for (const folder of await packageFolders(nodeModules)) {
    const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => null);
    if (text === null) continue;
    const manifest = JSON.parse(text) as Manifest;
    const known = found.get(manifest.name) ?? [];
    if (known.some(one => one.manifest.version === manifest.version)) continue;
    found.set(manifest.name, [...known, { folder, manifest }]);
  }
  return found;
}

async function packageFolders(nodeModules: string): Promise<string[]> {
  const entries = await readdir(nodeModules, { withFileTypes: true }).catch(() => []);
  const folders = entries.filter(entry => entry.isDirectory() && !entry.name.startsWith('.'));
  const nested = await Promise.all(
    folders.map(async ({ name }) => {
      const folder = join(nodeModules, name);
      return name.startsWith('@')
        ? packageFolders(folder)
        : [folder, ...(await packageFolders(join(folder, 'node_modules')))];
    }),
  );
  return nested.flat();
}
