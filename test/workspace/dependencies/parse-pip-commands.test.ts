/** Which pip commands can be prepared. */
import { expect, it } from 'vitest';
import { partsOf } from '../../../src/formats/text/shell-words.ts';
import { asEditable, pipRequest } from '../../../src/workspace/dependencies/python/parse-pip-commands.ts';

const asked = (command: string) => pipRequest(partsOf(command).map(({ words }) => words ?? []));
const VENV = 'python3 -m venv .venv';

it('the project, extras, groups, requirements files and requirements are read from pip commands', () => {
  const install = `${VENV} && .venv/bin/python -m pip install --upgrade pip && .venv/bin/pip install -e '.[test,dev]' -r requirements-dev.txt --group docs 'hypothesis>=6'`;
  expect(asked(install)).toEqual({
    editable: true,
    extras: ['test', 'dev'],
    groups: ['docs'],
    requirements: ['requirements-dev.txt'],
    others: ['hypothesis>=6'],
  });
});

it.each([
  `${VENV} --system-site-packages && .venv/bin/pip install -e .`,
  `${VENV} && .venv/bin/pip install --target a .`,
  `${VENV} && .venv/bin/pip install -e ./packages/a`,
  `${VENV} && .venv/bin/pip install --pre -e .`,
  '.venv/bin/pip install -e .',
])('pipRequest returns null for: %s', command => {
  expect(asked(command)).toBeNull();
});

it('the project is always installed in editable mode, because a copy would hide the changes of a variant', () => {
  expect(asked(`${VENV} && .venv/bin/pip install '.[test]' pytest`)).toEqual({
    editable: true,
    extras: ['test'],
    groups: [],
    requirements: [],
    others: ['pytest'],
  });
  const editable = (command: string) => asEditable(command.split(' '))?.join(' ') ?? null;
  expect(editable('uv pip install -q .[a] b')).toBe('uv pip install -q -e .[a] b');
  expect(editable('.venv/bin/python -m pip install --no-deps ./')).toBe(
    '.venv/bin/python -m pip install --no-deps -e ./',
  );
  for (const other of ['pip install -e .', 'pip install -t . a', 'uv sync', 'python3 -m venv .'])
    expect(editable(other)).toBeNull();
});
