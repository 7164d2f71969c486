/** Finds all package.json files in a tree, except those of installed packages, and lists their dependencies. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { unlessDiskFails } from '../../../formats/file-system/temporary-disk-errors.ts';
import { type JsonObject, tableAt } from '../../../formats/schema/json-access.ts';
import { readFolder } from '../folder-reader.ts';

export interface Manifest {
  /** Relative path, e.g. `packages/a/package.json`. */
  readonly path: string;
  readonly json: JsonObject;
}

const SKIPPED = new Set(['node_modules', '.git', '.dure', '.yarn', '.pnpm-store', '.venv']);
/** Maximum number of manifests. Any beyond that are fixtures, not packages. */
const MAX_FILES = 5000;

export async function manifestsBelow(root: string): Promise<Manifest[]> {
  const found: Manifest[] = [];
  const visit = async (below: string): Promise<void> => {
    const entries = await readdir(join(root, below), { withFileTypes: true }).catch(unlessDiskFails([]));
    if (entries.some(entry => entry.name === 'package.json' && entry.isFile())) {
      const json = await (await readFolder(join(root, below))).json('package.json');
      if (json) found.push({ path: join(below, 'package.json'), json });
    }
    for (const entry of entries) {
      if (found.length >= MAX_FILES) return;
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) await visit(join(below, entry.name));
    }
  };
  await visit('');
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

const KINDS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];

/** Returns the names of all packages in a manifest's `dependencies`, `devDependencies` and similar fields. */
export const dependenciesOf = (manifest: JsonObject): string[] =>
  KINDS.flatMap(kind => Object.keys(tableAt(manifest, kind)));
