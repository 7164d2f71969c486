/**
 * Chooses the pnpm for a project: the program on PATH if it is recent enough for `packageManager` and the lockfile,
 * otherwise the version that they require, run through npx.
 */

import type { Folder } from '../folder-reader.ts';
import type { NodeProject } from './node-project.ts';

export async function choosePnpm(
  { version }: NodeProject,
  folder: Folder,
  has: (program: string) => boolean,
  versionOf: (program: string) => string | null,
): Promise<string> {
  const format = await lockfileFormat(folder);
  const isInstalled = has('pnpm') && format >= 9 && serves(versionOf('pnpm'), version);
  return isInstalled ? 'pnpm' : `npx --yes pnpm@${version ?? majorFor(format)}`;
}

/**
 * Whether the installed pnpm can be used: pnpm refuses a project that requires a later version, and other major
 * versions have different defaults.
 */
function serves(installed: string | null, required: string | null): boolean {
  if (installed === null || required === null) return true;
  const [have, need] = [installed, required].map(version =>
    version.split('.').map(part => parseInt(part, 10)),
  );
  const [major, ...rest] = have!.map((part, at) => part - (need![at] ?? 0));
  return major === 0 && (rest.find(difference => difference !== 0) ?? 0) >= 0;
}

async function lockfileFormat(folder: Folder): Promise<number> {
  const text = (await folder.text('pnpm-lock.yaml'))?.slice(0, 1000) ?? '';
  return Number(/^lockfileVersion:\s*['"]?(\d+)/m.exec(text)?.[1] ?? 9);
}

/** Returns the newest major version that reads this lockfile format without changing it. */
function majorFor(format: number): string {
  if (format <= 5) return '7';
  return format === 6 ? '8' : '10';
}
