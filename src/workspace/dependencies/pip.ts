/**
 * pip: a virtual environment in the tree, with the project installed editable, so that what is imported is this tree.
 * Also for projects of other tools (Poetry, Hatch, PDM, Flit): their build backends work with pip.
 */
import type { Ecosystem } from './ecosystem.ts';
import { pythonProject } from './python-project.ts';
import { quoted } from './shell-words.ts';

const PIP = '.venv/bin/python -m pip install';

export const pip: Ecosystem = {
  name: 'pip',
  family: 'python',
  async propose(folder, has) {
    if (folder.has('uv.lock') && has('uv')) return null;
    const { installable, manifests, extras, groups, requirements, runner, others } =
      await pythonProject(folder);
    if (!installable && requirements.length === 0) return null;
    const wanted = [
      ...(installable ? [`-e ${quoted(extras.length > 0 ? `.[${extras.join(',')}]` : '.')}`] : []),
      ...requirements.map(file => `-r ${quoted(file)}`),
      ...groups.map(name => `--group ${name}`),
      ...others.map(quoted),
      ...(runner === null ? [] : [runner]),
    ];
    // Groups are known to pip since 25.1.
    const newer = groups.length > 0 ? ` && ${PIP} --upgrade pip` : '';
    return {
      command: `python3 -m venv .venv${newer} && ${PIP} ${wanted.join(' ')}`,
      because: manifests.join(', '),
      isRoot: manifests.length > 0,
    };
  },
};
