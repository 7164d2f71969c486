/** A Python package in `src`, with pytest; the user's working tree is installed as editable in the venv of their shell. */
import { join } from 'node:path';
import { whyNoPythonIndex } from '../../helpers/registry/python.ts';
import type { Sample } from '../sample.ts';

const sums = (mean: string, more = '') => `def mean(values):\n    return ${mean}\n${more}`;
const MEAN = 'sum(values) / len(values) if values else 0';
const RANGE = '\n\ndef spread(values):\n    return max(values) - min(values)\n';
const test = (expected: string, before = '') => `import pytest

from sums import mean


${before}def test_the_mean_of_nothing():
    ${expected}


def test_the_mean_of_two():
    assert mean([1, 3]) == 2
`;
const HELD = 'assert mean([]) == 0';
const OLD = 'tests/test_mean.py';

export const pythonSrc: Sample = {
  name: 'a Python src layout with an editable install in the active venv',
  missing: whyNoPythonIndex(),
  files: {
    'pyproject.toml': `[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"

[project]
name = "sums"
version = "1.0"

[project.optional-dependencies]
test = ["pytest"]

[tool.pytest.ini_options]
testpaths = ["tests"]
`,
    '.gitignore': '__pycache__/\n*.egg-info/\n.venv/\n.pytest_cache/\n',
    'src/sums/__init__.py': sums(MEAN),
    'tests/conftest.py': 'import pytest\n\n\n@pytest.fixture\ndef values():\n    return [1, 2, 4]\n',
    [OLD]: test(HELD),
  },
  worked: 'python3 -m venv "$TOP/venv" && "$TOP/venv/bin/pip" install --quiet -e ".[test]"',
  shell: ({ top, PATH }) => ({
    VIRTUAL_ENV: join(top, 'venv'),
    PATH: `${join(top, 'venv', 'bin')}:${PATH}`,
  }),
  honest: { 'src/sums/__init__.py': sums(MEAN, RANGE) },
  breaking: { 'src/sums/__init__.py': sums('sum(values) / len(values)', RANGE) },
  silenced: {
    edited: { [OLD]: test('with pytest.raises(ZeroDivisionError):\n        mean([])') },
    skipped: { [OLD]: test(HELD, '@pytest.mark.skip\n') },
    deleted: { [OLD]: null },
  },
  uncommitted: { 'src/sums/__init__.py': 'def mean(values):\n    return None\n' },
  verifier: {
    command: '(python3? -m )?pytest',
    existing: OLD,
    imports: 'from (\\w+) import mean',
    place: 'tests/test_spread.py',
    test: `from {{import}} import spread


def test_the_spread_of_the_fixture(values):
    assert spread(values) == 3
`,
  },
};
