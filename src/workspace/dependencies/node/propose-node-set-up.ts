/** Proposes the set-up of Node projects. The package managers differ in how they are started and in a few arguments. */

import { withBuild } from '../add-build-if-needed.ts';
import type { PackageManager } from '../package-manager-interface.ts';
import { choosePnpm } from './choose-pnpm.ts';
import { chooseYarnBerry } from './choose-yarn-berry.ts';
import { type NodeProject, nodeProject, scriptsOf } from './node-project.ts';

interface NodePackageManager {
  readonly name: string;
  readonly tool: NodeProject['tool'];
  /** The command that starts the package manager. */
  program(project: NodeProject, ...machine: Parameters<PackageManager['propose']>): string | Promise<string>;
  /** Arguments that install the versions in the lockfile and refuse to change it. */
  readonly locked: string;
  /** Arguments that build every workspace package; null if the package manager does not support it. */
  readonly buildAll: string | null;
}

const NODE: readonly NodePackageManager[] = [
  {
    name: 'npm',
    tool: 'npm',
    program: () => 'npm',
    locked: 'ci',
    buildAll: 'run build --workspaces --if-present',
  },
  {
    name: 'pnpm',
    tool: 'pnpm',
    program: choosePnpm,
    locked: 'install --frozen-lockfile',
    buildAll: '-r --if-present run build',
  },
  {
    name: 'yarn',
    tool: 'yarn-classic',
    program: ({ version }, _, has) => (has('yarn') ? 'yarn' : `npx --yes yarn@${version ?? '1'}`),
    locked: 'install --frozen-lockfile',
    buildAll: null,
  },
  {
    name: 'yarn',
    tool: 'yarn-berry',
    program: chooseYarnBerry,
    locked: 'install --immutable',
    buildAll: 'workspaces foreach -At run build',
  },
  {
    name: 'bun',
    tool: 'bun',
    program: ({ version }, _, has) => (has('bun') ? 'bun' : `npx --yes bun@${version ?? '1'}`),
    locked: 'install --frozen-lockfile',
    buildAll: "run --filter '*' build",
  },
];

export const NODE_PACKAGE_MANAGERS: readonly PackageManager[] = NODE.map(
  ({ name, tool, program, locked, buildAll }) => ({
    name,
    family: 'node',
    async propose(...machine) {
      const [folder] = machine;
      const project = await nodeProject(folder);
      if (project?.tool !== tool) return null;
      const { manifest, lockfile, unlocked, hasWorkspaces } = project;
      const start = await program(project, ...machine);
      const install = `${start} ${lockfile === null ? 'install' : locked}`;
      const build = { own: `${start} run build`, all: buildAll && `${start} ${buildAll}` };
      return {
        because: lockfile ?? `package.json${hasWorkspaces ? ' with workspaces' : ''}, ${unlocked}`,
        isRoot: lockfile !== null || hasWorkspaces,
        isAccessory: lockfile === null && !hasWorkspaces && scriptsOf(manifest)['test'] === undefined,
        ...(await withBuild(folder, project, install, build)),
      };
    },
  }),
);
