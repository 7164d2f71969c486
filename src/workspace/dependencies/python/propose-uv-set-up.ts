/** Proposes `uv sync` with the groups and extras that tests need. */
import type { PackageManager } from '../package-manager-interface.ts';
import { pythonProject } from './python-project.ts';

export const uv: PackageManager = {
  name: 'uv',
  family: 'python',
  async propose(folder, has) {
    if (!folder.has('uv.lock') || !has('uv')) return null;
    const { extras, groups, runner } = await pythonProject(folder);
    const chosen = [
      ...extras.map(name => `--extra ${name}`),
      // uv includes the group dev by default.
      ...groups.filter(name => name !== 'dev').map(name => `--group ${name}`),
    ];
    const install = ['uv sync --frozen', ...chosen].join(' ');
    const command = runner === null ? install : `${install} && uv pip install ${runner}`;
    return { command, because: 'uv.lock', isRoot: true };
  },
};
