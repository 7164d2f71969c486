/** Finds the folder in which Dure is installed, whether Dure runs from `dist/` or, in a test, from its sources. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

function find(dir: string): { readonly root: string; readonly version: string } {
  const file = join(dir, 'package.json');
  const manifest = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  if (manifest.name === 'dure') return { root: dir, version: manifest.version };
  const above = dirname(dir);
  if (above === dir) throw new Error('the package.json of dure is missing');
  return find(above);
}

export const { root: packageRoot, version: packageVersion } = find(dirname(fileURLToPath(import.meta.url)));

/** Path to a built program, e.g. `rehearse.cjs`. */
export const distFile = (name: string): string => join(packageRoot, 'dist', name);

/** The text that is shown before the user is asked for consent; shipped in the package. */
export const SECURITY_GUIDE: string = join(packageRoot, 'docs', 'security.md');
