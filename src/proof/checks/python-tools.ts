/** Checks of a Python project: what its configuration and its requirements name. */
import type { CheckProposal, Folder } from './recognize.ts';

const REQUIREMENTS = [
  'requirements.txt',
  'requirements-dev.txt',
  'requirements-test.txt',
  'requirements_dev.txt',
  'dev-requirements.txt',
  'test-requirements.txt',
  'requirements/dev.txt',
  'requirements/test.txt',
  'requirements/tests.txt',
];

export async function pythonProposals(own: Folder): Promise<CheckProposal[]> {
  const read = async (name: string) => (await own.read(name)) ?? '';
  const [pyproject, setupCfg, tox, setupPy] = await Promise.all(
    ['pyproject.toml', 'setup.cfg', 'tox.ini', 'setup.py'].map(read),
  );
  const requirements = (await Promise.all(REQUIREMENTS.map(read))).join('\n');
  const all = [pyproject, setupCfg, tox, setupPy, requirements].join('\n');
  if (all.trim() === '') return [];
  /** As a requirement, not as a part of another word or the name of a section. */
  const needs = (tool: string) => new RegExp(`(?:^|["'\\s])${tool}(?=$|["'\\s<>=~!;,\\[])`, 'm').test(all);
  const section = (name: string) => all.includes(`[${name}`);
  const any = async (...names: string[]) => (await Promise.all(names.map(own.has))).includes(true);

  const hasPytest =
    section('tool.pytest') ||
    section('tool:pytest') ||
    /^\[pytest\]/m.test(tox!) ||
    needs('pytest') ||
    (await any('pytest.ini', 'conftest.py', 'tests/conftest.py', 'test/conftest.py'));
  const folder = (await own.has('tests')) ? 'tests' : (await own.has('test')) ? 'test' : null;
  const tools = [
    {
      tool: 'ruff',
      name: 'lint',
      command: 'python -m ruff check .',
      set: section('tool.ruff') || (await any('ruff.toml', '.ruff.toml')),
    },
    {
      tool: 'flake8',
      name: 'lint',
      command: 'python -m flake8',
      set: /^\[flake8\]/m.test(`${setupCfg}\n${tox}`) || (await any('.flake8')),
    },
    {
      tool: 'mypy',
      name: 'types',
      command: /^\[(?:tool\.)?mypy\][^[]*^(?:files|packages|modules)\s*=/m.test(all)
        ? 'python -m mypy'
        : 'python -m mypy .',
      set: section('tool.mypy') || /^\[mypy\]/m.test(setupCfg!) || (await any('mypy.ini', '.mypy.ini')),
    },
  ];
  return [
    ...(hasPytest
      ? [{ name: 'test', command: 'python -m pytest', because: 'pytest in the configuration' }]
      : []),
    ...(!hasPytest && folder
      ? [
          {
            name: 'test',
            command: `python -m unittest discover -v -s ${folder}${(await own.has(`${folder}/__init__.py`)) ? ' -t .' : ''}`,
            because: `the folder ${folder}`,
          },
        ]
      : []),
    // A linter that is set up but not required is run elsewhere, as by pre-commit, and would not be installed.
    ...tools
      .filter(({ tool, set }) => set && needs(tool))
      .map(({ tool, name, command }) => ({ name, command, because: `${tool} in the configuration` })),
  ];
}
