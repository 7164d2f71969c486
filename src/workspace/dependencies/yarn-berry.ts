/**
 * Proposes the set-up with Yarn 2 and later: the release committed to the project (`yarnPath`), otherwise the version
 * required by `packageManager` or the lockfile, from the registry. A `yarn` on PATH is usually Yarn 1 and is not used.
 */

import { withBuild } from './needs-build.ts';
import { nodeFacts, nodeProject } from './node-project.ts';
import type { PackageManager } from './package-manager.ts';
import type { Folder } from './read-folder.ts';
import { quoteWord } from './shell-words.ts';

export const yarnBerry: PackageManager = {
  name: 'yarn',
  family: 'node',
  async propose(folder) {
    const project = await nodeProject(folder);
    if (project?.tool !== 'yarn-berry') return null;
    const carried = await yarnPath(folder);
    const version = project.version ?? (await versionFor(folder));
    const program = carried
      ? `node ${quoteWord(carried)}`
      : `npx --yes --package @yarnpkg/cli-dist@${version} yarn`;
    const install = `${program} install${project.lockfile === null ? '' : ' --immutable'}`;
    const build = { own: `${program} run build`, all: `${program} workspaces foreach -At run build` };
    return { ...nodeFacts(project), ...(await withBuild(folder, project, install, build)) };
  },
};

const yarnPath = async (folder: Folder): Promise<string | null> =>
  /^yarnPath:\s*['"]?([^'"\n#]+?)['"]?\s*$/m.exec((await folder.text('.yarnrc.yml')) ?? '')?.[1] ?? null;

/** The newest major version that does not change the lockfile. */
async function versionFor(folder: Folder): Promise<string> {
  const lock = (await folder.text('yarn.lock'))?.slice(0, 2000) ?? '';
  const format = Number(/^__metadata:\s*\n\s+version:\s*(\d+)/m.exec(lock)?.[1] ?? 8);
  return format >= 8 ? '4' : '3';
}
