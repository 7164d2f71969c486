/**
 * Yarn 2 and later: the release that the project carries with it (`yarnPath`), else the one that `packageManager` or the
 * lockfile asks for, from the registry. A `yarn` on PATH is mostly Yarn 1 and does not count.
 */
import type { Ecosystem } from './ecosystem.ts';
import type { Folder } from './folder.ts';
import { withBuild } from './needs-build.ts';
import { nodeFacts, nodeProject } from './package-json.ts';
import { quoted } from './shell-words.ts';

export const yarnBerry: Ecosystem = {
  name: 'yarn',
  family: 'node',
  async propose(folder) {
    const project = await nodeProject(folder);
    if (project?.tool !== 'yarn-berry') return null;
    const carried = await yarnPath(folder);
    const version = project.version ?? (await versionFor(folder));
    const program = carried
      ? `node ${quoted(carried)}`
      : `npx --yes --package @yarnpkg/cli-dist@${version} yarn`;
    const install = `${program} install${project.lockfile === null ? '' : ' --immutable'}`;
    const build = { own: `${program} run build`, all: `${program} workspaces foreach -At run build` };
    return { ...nodeFacts(project), ...(await withBuild(folder, project, install, build)) };
  },
};

const yarnPath = async (folder: Folder): Promise<string | null> =>
  /^yarnPath:\s*['"]?([^'"\n#]+?)['"]?\s*$/m.exec((await folder.text('.yarnrc.yml')) ?? '')?.[1] ?? null;

/** The newest release that leaves the lockfile as it is. */
async function versionFor(folder: Folder): Promise<string> {
  const lock = (await folder.text('yarn.lock'))?.slice(0, 2000) ?? '';
  const format = Number(/^__metadata:\s*\n\s+version:\s*(\d+)/m.exec(lock)?.[1] ?? 8);
  return format >= 8 ? '4' : '3';
}
