/**
 * Proposes the set-up with pnpm: the program on PATH if it is recent enough for `packageManager` and the lockfile, otherwise
 * the version that these require, through npx.
 */

import { withBuild } from './needs-build.ts';
import { nodeFacts, nodeProject } from './node-project.ts';
import type { PackageManager } from './package-manager.ts';
import type { Folder } from './read-folder.ts';

export const pnpm: PackageManager = {
  name: 'pnpm',
  family: 'node',
  async propose(folder, has, versionOf) {
    const project = await nodeProject(folder);
    if (project?.tool !== 'pnpm') return null;
    const format = await lockfileFormat(folder);
    const isInstalled = has('pnpm') && format >= 9 && serves(versionOf('pnpm'), project.version);
    const program = isInstalled ? 'pnpm' : `npx --yes pnpm@${project.version ?? majorFor(format)}`;
    const install = `${program} install${project.lockfile === null ? '' : ' --frozen-lockfile'}`;
    const build = { own: `${program} run build`, all: `${program} -r --if-present run build` };
    return { ...nodeFacts(project), ...(await withBuild(folder, project, install, build)) };
  },
};

/** pnpm refuses a project that requires a later version; other major versions have different defaults. */
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

/** The newest major version that reads this lockfile format without changing it. */
function majorFor(format: number): string {
  if (format <= 5) return '7';
  return format === 6 ? '8' : '10';
}
