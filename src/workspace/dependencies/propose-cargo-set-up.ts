/** Proposes `cargo fetch` with an unchanged lockfile, so that a build needs no network. */

import { tableAt } from '../../formats/schema/json-access.ts';
import { whyUnlocked } from './folder-reader.ts';
import type { PackageManager } from './package-manager-interface.ts';

export const cargo: PackageManager = {
  name: 'cargo',
  family: 'rust',
  async propose(folder) {
    const manifest = await folder.toml('Cargo.toml');
    if (!manifest) return null;
    const isWorkspace = Object.keys(tableAt(manifest, 'workspace')).length > 0;
    if (folder.has('Cargo.lock'))
      return { command: 'cargo fetch --locked', because: 'Cargo.lock', isRoot: true };
    const because = `Cargo.toml, ${whyUnlocked(folder, ['Cargo.lock'])}`;
    return { command: 'cargo fetch', because, isRoot: isWorkspace };
  },
};
