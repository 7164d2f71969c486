/** Proposes `npm ci` with a lockfile, `npm install` without one. */

import { withBuild } from './needs-build.ts';
import { nodeFacts, nodeProject } from './node-project.ts';
import type { PackageManager } from './package-manager.ts';

export const npm: PackageManager = {
  name: 'npm',
  family: 'node',
  async propose(folder) {
    const project = await nodeProject(folder);
    if (project?.tool !== 'npm') return null;
    const install = project.lockfile === null ? 'npm install' : 'npm ci';
    const build = { own: 'npm run build', all: 'npm run build --workspaces --if-present' };
    return { ...nodeFacts(project), ...(await withBuild(folder, project, install, build)) };
  },
};
