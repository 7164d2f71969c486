/** Proposes `npm ci` with a lockfile, `npm install` without one. */
import type { Ecosystem } from './ecosystem.ts';
import { withBuild } from './needs-build.ts';
import { nodeFacts, nodeProject } from './package-json.ts';

export const npm: Ecosystem = {
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
