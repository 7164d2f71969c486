/** Proposes checks for a Python project: its tests, and the linters that it configures and that its set-up installs. */

import { joinWords } from '../../formats/text/shell-words.ts';
import type { Folder } from '../../workspace/dependencies/folder-reader.ts';
import { type PythonProject, pythonProject } from '../../workspace/dependencies/python/python-project.ts';
import type { CheckProposal } from './check-proposal-type.ts';

export async function pythonProposals(own: Folder): Promise<CheckProposal[]> {
  const read = async (name: string) => (await own.text(name)) ?? '';
  const { isPython, tests, installs } = await pythonProject(own);
  if (!isPython) return [];
  const [pyproject, setupCfg, tox] = await Promise.all(['pyproject.toml', 'setup.cfg', 'tox.ini'].map(read));
  const section = (name: string) => [pyproject, setupCfg, tox].some(text => text!.includes(`[${name}`));
  const any = (...names: string[]) => names.some(own.has);
  const mypySections = [pyproject, setupCfg].join('\n');
  const linters = [
    {
      tool: 'ruff',
      name: 'lint',
      command: 'python -m ruff check .',
      set: section('tool.ruff') || any('ruff.toml', '.ruff.toml'),
    },
    {
      tool: 'flake8',
      name: 'lint',
      command: 'python -m flake8',
      set: /^\[flake8\]/m.test(`${setupCfg}\n${tox}`) || any('.flake8'),
    },
    {
      tool: 'mypy',
      name: 'types',
      command: /^\[(?:tool\.)?mypy\][^[]*^(?:files|packages|modules)\s*=/m.test(mypySections)
        ? 'python -m mypy'
        : 'python -m mypy .',
      set: section('tool.mypy') || /^\[mypy\]/m.test(setupCfg!) || any('mypy.ini', '.mypy.ini'),
    },
  ];
  return [
    ...(tests ? [{ name: 'test', ...commandOf(tests) }] : []),
    // A linter that the set-up does not install is run by some other tool, such as tox or pre-commit.
    ...linters
      .filter(({ tool, set }) => set && installs(tool))
      .map(({ tool, name, command }) => ({ name, command, because: `${tool} in the configuration` })),
  ];
}

const commandOf = (tests: NonNullable<PythonProject['tests']>): Omit<CheckProposal, 'name'> =>
  tests.by === 'pytest'
    ? { command: 'python -m pytest', because: 'pytest in the configuration or the tests' }
    : { command: joinWords(['python', '-m', 'unittest', ...tests.args]), because: 'the tests' };
