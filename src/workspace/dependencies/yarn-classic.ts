/** Proposes the set-up with Yarn 1. */

import { withBuild } from './needs-build.ts';
import { nodeFacts, nodeProject } from './node-project.ts';
import type { PackageManager } from './package-manager.ts';

export const yarnClassic: PackageManager = {
  name: 'yarn',
  family: 'node',
  async propose(folder, has) {
    const project = await nodeProject(folder);
    if (project?.tool !== 'yarn-classic') return null;
    const program = has('yarn') ? 'yarn' : `npx --yes yarn@${project.version ?? '1'}`;
    const install = `${program} install${project.lockfile === null ? '' : ' --frozen-lockfile'}`;
    const build = { own: `${program} run build`, all: null };
    return { ...nodeFacts(project), ...(await withBuild(folder, project, install, build)) };
  },
};
