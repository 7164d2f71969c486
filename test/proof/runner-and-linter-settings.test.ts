import { describe, expect, it } from 'vitest';
import { commandInputsIn, isReadByTests, isSetting } from '../../src/proof/runner-and-linter-settings.ts';

const changed = (path: string, before: string | null, after: string | null) =>
  commandInputsIn([{ path, before, after }]);
const json = (value: object) => JSON.stringify(value, null, 2);

describe('the configuration that tests read', () => {
  it.each([
    ...['.npmrc', 'packages/a/.npmrc', '.yarnrc.yml', 'pnpm-workspace.yaml', '.pnpmfile.cjs', 'bunfig.toml'],
    ...['vitest.config.ts', 'vitest.workspace.ts', 'vite.config.mjs', 'jest.config.js', 'jest.setup.js'],
    ...[
      'test/setup.ts',
      'src/setupTests.js',
      'vitest.setup.ts',
      'globalSetup.ts',
      '.mocharc.cjs',
      'ava.config.js',
    ],
    ...[
      'babel.config.json',
      '.babelrc',
      '.swcrc',
      'tsconfig.json',
      'packages/a/tsconfig.test.json',
      '.env.test',
    ],
    ...[
      'pytest.ini',
      'tox.ini',
      'tests/conftest.py',
      'noxfile.py',
      'setup.py',
      'sitecustomize.py',
      'evil.pth',
    ],
    ...['Makefile', 'justfile', 'build.rs', '.cargo/config.toml', 'rust-toolchain.toml', 'go.work', '.nvmrc'],
  ])('includes %s', path => {
    expect(isReadByTests(path)).toBe(true);
    expect(changed(path, 'a', 'b')).toEqual([{ path, keys: [] }]);
    expect(changed(path, null, 'b')).toEqual([{ path, keys: [] }]);
    expect(changed(path, 'a', null)).toEqual([{ path, keys: [] }]);
  });

  it.each([
    ...[
      'src/index.ts',
      'README.md',
      'test/limit.test.ts',
      'tests/test_limit.py',
      'package-lock.json',
      'go.sum',
    ],
    ...[
      'src/setup-wizard.tsx',
      'src/setup.ts',
      'src/config.ts',
      'docs/makefile.md',
      'environment.ts',
      'src/tearing.js',
    ],
  ])('does not include %s', path => {
    expect(isReadByTests(path)).toBe(false);
    expect(changed(path, 'a', 'b')).toEqual([]);
  });

  it.each(['eslint.config.js', '.prettierrc', 'ruff.toml', '.golangci.yml', 'biome.json'])(
    'does not include %s, which is read only by checks',
    path => {
      expect(isReadByTests(path)).toBe(false);
      expect(isSetting(path)).toBe(true);
      expect(changed(path, 'a', 'b')).toEqual([]);
    },
  );
});

describe('package.json', () => {
  const base = {
    name: 'a',
    version: '1.0.0',
    scripts: { test: 'vitest run', lint: 'eslint .' },
    dependencies: {},
  };

  it('counts as configuration if its scripts, its type or its test runner settings change', () => {
    const after = {
      ...base,
      type: 'module',
      scripts: { test: 'exit 0', lint: 'eslint .', pretest: 'true' },
      jest: { testMatch: [] },
    };
    expect(changed('packages/a/package.json', json(base), json(after))).toEqual([
      { path: 'packages/a/package.json', keys: ['jest', 'scripts.pretest', 'scripts.test', 'type'] },
    ]);
  });

  it('does not count as configuration if only its dependencies, version or key order change', () => {
    const after = {
      version: '1.1.0',
      dependencies: { left: '1.0.0' },
      scripts: { lint: 'eslint .', test: 'vitest run' },
      name: 'a',
    };
    expect(changed('package.json', json(base), json(after))).toEqual([]);
  });

  it('counts as configuration if it is new and has scripts, is removed, or cannot be parsed', () => {
    expect(changed('package.json', null, json(base))[0]?.keys).toEqual(['scripts.lint', 'scripts.test']);
    expect(changed('package.json', json(base), null)[0]?.keys).toEqual(['scripts.lint', 'scripts.test']);
    expect(changed('package.json', json(base), '{')[0]?.keys).toEqual(['entire file']);
  });
});

it('pyproject.toml counts as configuration if its test runner tables change, but not if its metadata or linter settings do', () => {
  const base =
    '[project]\nname = "a"\nversion = "1"\n[tool.pytest.ini_options]\naddopts = "-q"\n[tool.ruff]\nline-length = 80\n';
  expect(changed('pyproject.toml', base, base.replace('"1"', '"2"').replace('80', '100'))).toEqual([]);
  expect(changed('pyproject.toml', base, base.replace('-q', '-q --deselect tests/a.py'))).toEqual([
    { path: 'pyproject.toml', keys: ['tool.pytest'] },
  ]);
  expect(changed('pyproject.toml', base, `${base}[project.entry-points.pytest11]\na = "a"\n`)).toEqual([
    { path: 'pyproject.toml', keys: ['project.entry-points'] },
  ]);
});

it('setup.cfg counts as configuration if its test runner sections change', () => {
  const base = '[metadata]\nname = a\n\n[tool:pytest]\naddopts = -q\n';
  expect(changed('setup.cfg', base, base.replace('name = a', 'name = b'))).toEqual([]);
  expect(changed('setup.cfg', base, base.replace('-q', '-k nothing'))).toEqual([
    { path: 'setup.cfg', keys: ['tool:pytest'] },
  ]);
});

it('Cargo.toml and go.mod count as configuration if anything but dependencies changes', () => {
  const cargo = '[package]\nname = "a"\nversion = "0.1.0"\n[dependencies]\nserde = "1"\n';
  expect(changed('Cargo.toml', cargo, cargo.replace('"1"', '"2"'))).toEqual([]);
  expect(changed('Cargo.toml', cargo, `${cargo}[lib]\ntest = false\n`)[0]?.keys).toEqual(['lib']);
  const go = 'module a\n\ngo 1.22\n\nrequire (\n\tb v1.0.0\n)\n';
  expect(changed('go.mod', go, go.replace('v1.0.0', 'v1.1.0'))).toEqual([]);
  expect(changed('go.mod', go, `${go}replace b => ./c\n`)[0]?.keys).toEqual(['replace']);
});
