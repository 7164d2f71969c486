/** Provides the Node versions with which Dure is checked: the current one, and others from the npm package `node`. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const cache = resolve(import.meta.dirname, '../../.cache/nodes');
const MAJORS = ['20', '22', '24'];

/** Returns each `node` program as its version and its folder. Installs missing versions. */
export function nodes() {
  const [own] = process.versions.node.split('.');
  const binaries = [process.execPath, ...MAJORS.filter(major => major !== own).map(installed)];
  return binaries.map(node => ({
    version: execFileSync(node, ['--version'], { encoding: 'utf8' }).trim(),
    bin: dirname(node),
  }));
}

function installed(major) {
  const folder = join(cache, major);
  const node = join(folder, 'node_modules/node/bin/node');
  if (!existsSync(node)) {
    mkdirSync(folder, { recursive: true });
    const args = ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', `node@${major}`];
    execFileSync('npm', args, { stdio: 'inherit' });
  }
  return node;
}
