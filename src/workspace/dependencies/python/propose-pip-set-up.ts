/**
 * Proposes a virtual environment in the tree, filled by pip, with the project installed in editable mode so
 * that tests import this tree's code. Projects that use Poetry, Hatch, PDM or Flit are set up in the same way, because
 * their build backends work with pip.
 */

import { quoteWord } from '../../../formats/text/shell-words.ts';
import type { PackageManager } from '../package-manager-interface.ts';
import { pythonProject } from './python-project.ts';

const PIP = '.venv/bin/python -m pip install';

export const pip: PackageManager = {
  name: 'pip',
  family: 'python',
  async propose(folder, has) {
    if (folder.has('uv.lock') && has('uv')) return null;
    const { isPython, installable, manifests, extras, groups, requirements, runner, others } =
      await pythonProject(folder);
    if (!isPython) return null;
    const args = [
      ...(installable ? [`-e ${quoteWord(extras.length > 0 ? `.[${extras.join(',')}]` : '.')}`] : []),
      ...requirements.map(file => `-r ${quoteWord(file)}`),
      ...groups.map(name => `--group ${name}`),
      ...others.map(quoteWord),
      ...(runner === null ? [] : [runner]),
    ];
    // pip supports dependency groups as of 25.1.
    const newer = groups.length > 0 ? ` && ${PIP} --upgrade pip` : '';
    const install = args.length > 0 ? ` && ${PIP} ${args.join(' ')}` : '';
    return {
      command: `python3 -m venv .venv${newer}${install}`,
      because: manifests.join(', ') || 'tests in Python',
      isRoot: manifests.length > 0,
    };
  },
};
