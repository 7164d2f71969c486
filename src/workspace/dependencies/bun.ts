/** Proposes the set-up of projects that use Bun as package manager. */

import { withBuild } from './needs-build.ts';
import { nodeFacts, nodeProject } from './node-project.ts';
import type { PackageManager } from './package-manager.ts';

export const bun: PackageManager = {
  name: 'bun',
  family: 'node',
  async propose(folder, has) {
    const project = await nodeProject(folder);
    if (project?.tool !== 'bun') return null;
    const program = has('bun') ? 'bun' : `npx --yes bun@${project.version ?? '1'}`;
    const install = `${program} install${project.lockfile === null ? '' : ' --frozen-lockfile'}`;
    const build = { own: `${program} run build`, all: `${program} run --filter '*' build` };
    return { ...nodeFacts(project), ...(await withBuild(folder, project, install, build)) };
  },
};
