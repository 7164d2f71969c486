/** pnpm: from PATH, else the version that `packageManager` or the lockfile asks for, through npx. */
import type { Ecosystem } from './ecosystem.ts';
import type { Folder } from './folder.ts';
import { withBuild } from './needs-build.ts';
import { nodeFacts, nodeProject } from './package-json.ts';

export const pnpm: Ecosystem = {
  name: 'pnpm',
  family: 'node',
  async propose(folder, has) {
    const project = await nodeProject(folder);
    if (project?.tool !== 'pnpm') return null;
    const program = has('pnpm') ? 'pnpm' : `npx --yes pnpm@${project.version ?? (await majorFor(folder))}`;
    const install = `${program} install${project.lockfile === null ? '' : ' --frozen-lockfile'}`;
    const build = { own: `${program} run build`, all: `${program} -r --if-present run build` };
    return { ...nodeFacts(project), ...(await withBuild(folder, project, install, build)) };
  },
};

/** The newest major version that reads the lockfile as it is. */
async function majorFor(folder: Folder): Promise<string> {
  const text = (await folder.text('pnpm-lock.yaml'))?.slice(0, 1000) ?? '';
  const format = Number(/^lockfileVersion:\s*['"]?(\d+)/m.exec(text)?.[1] ?? 9);
  return format <= 5 ? '7' : format === 6 ? '8' : '10';
}
