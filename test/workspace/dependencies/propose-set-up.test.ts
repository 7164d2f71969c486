/** The set-up command that is proposed from a project's files. */
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { proposeSetup } from '../../../src/workspace/dependencies/propose-set-up.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'dure-propose-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

type Files = Readonly<Record<string, string | object>>;

/** Proposes a set-up for a project with these files, on a machine with these programs. */
async function proposed(files: Files, { directory = '.', programs = [] as string[] } = {}) {
  const bin = join(root, '.programs');
  const all = { ...files, ...Object.fromEntries(programs.map(name => [`.programs/${name}`, '#!/bin/sh\n'])) };
  for (const [path, content] of Object.entries(all)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), typeof content === 'string' ? content : JSON.stringify(content));
  }
  for (const name of programs) await chmod(join(bin, name), 0o755);
  return proposeSetup(root, directory, { PATH: bin });
}
const commandOf = async (...args: Parameters<typeof proposed>) => (await proposed(...args))?.command;

describe('the set-up proposed for Node packages', () => {
  it('uses npm ci with a lockfile, and npm install without one', async () => {
    expect(await proposed({ 'package.json': {}, 'package-lock.json': {} })).toEqual({
      tool: 'npm',
      command: 'npm ci',
      because: 'package-lock.json',
    });
    await rm(join(root, 'package-lock.json'));
    expect(await proposed({ '.npmrc': 'package-lock=false\n' })).toEqual({
      tool: 'npm',
      command: 'npm install',
      because: 'package.json, no lockfile',
    });
  });

  it.each([
    ['package-lock.json', '{}'],
    ['npm-shrinkwrap.json', '{}'],
    ['pnpm-lock.yaml', "lockfileVersion: '9.0'\n"],
    ['yarn.lock', '# yarn lockfile v1\n'],
    ['bun.lock', '{}'],
  ])('does not rely on %s if git ignores it, because no commit contains it', async (lockfile, text) => {
    execFileSync('git', ['init', '-q', root]);
    const files = { 'package.json': {}, '.gitignore': `${lockfile}\n`, [lockfile]: text };
    expect(await proposed(files)).toEqual({
      tool: 'npm',
      command: 'npm install',
      because: `package.json, ${lockfile} is ignored by git`,
    });
    execFileSync('git', ['-C', root, 'add', '--force', lockfile]);
    expect((await proposed(files))?.because).toBe(lockfile);
  });

  it("relies neither on a monorepo's ignored lockfile nor on an ignored Yarn release", async () => {
    execFileSync('git', ['init', '-q', root]);
    const files = {
      '.gitignore': '*-lock.*\n.yarnrc.yml\n',
      'package.json': { workspaces: ['packages/*'] },
      'package-lock.json': {},
      'packages/a/package.json': { name: 'a' },
    };
    expect(await proposed(files, { directory: 'packages/a' })).toMatchObject({
      command: 'npm install',
      because: 'package.json with workspaces, package-lock.json is ignored by git',
    });
    const carried = { 'yarn.lock': '__metadata:\n  version: 8\n', '.yarnrc.yml': 'yarnPath: y.cjs\n' };
    expect(await commandOf(carried)).toBe('npx --yes --package @yarnpkg/cli-dist@4 yarn install --immutable');
  });

  it('uses pnpm on PATH if it can read the lockfile, otherwise the version that packageManager or the lockfile requires', async () => {
    const files = { 'package.json': {}, 'pnpm-lock.yaml': "lockfileVersion: '6.0'\n" };
    const programs = ['pnpm'];
    const today = { ...files, 'pnpm-lock.yaml': "lockfileVersion: '9.0'\n" };
    expect(await commandOf(today, { programs })).toBe('pnpm install --frozen-lockfile');
    expect(await commandOf(files, { programs })).toBe('npx --yes pnpm@8 install --frozen-lockfile');
    await rm(join(root, '.programs'), { recursive: true });
    expect(await commandOf(files)).toBe('npx --yes pnpm@8 install --frozen-lockfile');
    const named = { ...files, 'package.json': { packageManager: 'pnpm@9.12.3+sha512.ab' } };
    expect(await commandOf(named)).toBe('npx --yes pnpm@9.12.3 install --frozen-lockfile');
  });

  it.each([
    ['10.0.0', 'pnpm'],
    ['10.34.9', 'pnpm'],
    ['10.35.0', 'npx --yes pnpm@10.35.0'],
    ['9.15.0', 'npx --yes pnpm@9.15.0'],
    ['11.9.0', 'npx --yes pnpm@11.9.0'],
  ])('for a project that requires pnpm %s, with 10.34.9 installed, uses %s', async (required, program) => {
    const files = {
      'package.json': { packageManager: `pnpm@${required}+sha512.ab` },
      'pnpm-lock.yaml': "lockfileVersion: '9.0'\n",
      '.programs/package.json': { name: 'pnpm', version: '10.34.9' },
    };
    expect(await commandOf(files, { programs: ['pnpm'] })).toBe(`${program} install --frozen-lockfile`);
  });

  it('uses Yarn 1', async () => {
    const files = { 'package.json': {}, 'yarn.lock': '# yarn lockfile v1\n' };
    expect(await commandOf(files)).toBe('npx --yes yarn@1 install --frozen-lockfile');
    expect(await commandOf(files, { programs: ['yarn'] })).toBe('yarn install --frozen-lockfile');
  });

  it('uses the Yarn release in the project, otherwise one from the registry', async () => {
    const lock = '__metadata:\n  version: 8\n';
    const files = { 'package.json': {}, 'yarn.lock': lock };
    expect(await commandOf(files)).toBe('npx --yes --package @yarnpkg/cli-dist@4 yarn install --immutable');
    const carried = { ...files, '.yarnrc.yml': 'yarnPath: .yarn/releases/yarn-4.5.0.cjs\n' };
    expect(await commandOf(carried)).toBe('node .yarn/releases/yarn-4.5.0.cjs install --immutable');
  });

  it('uses bun', async () => {
    expect(await commandOf({ 'package.json': {}, 'bun.lock': '{}' })).toBe(
      'npx --yes bun@1 install --frozen-lockfile',
    );
  });

  it("a package of a monorepo is installed from the root's lockfile", async () => {
    const files = {
      'package.json': { workspaces: ['packages/*'] },
      'package-lock.json': {},
      'packages/a/package.json': { name: 'a' },
    };
    expect(await proposed(files, { directory: 'packages/a' })).toMatchObject({
      command: 'npm ci',
      because: 'package-lock.json',
    });
  });

  it("a package whose monorepo has workspaces but no lockfile is installed from the root's manifest", async () => {
    const files = {
      'package.json': { workspaces: ['packages/*'] },
      'packages/a/package.json': { name: 'a' },
    };
    expect((await proposed(files, { directory: 'packages/a' }))?.because).toBe(
      'package.json with workspaces, no lockfile',
    );
  });

  describe('builds', () => {
    beforeEach(() => {
      execFileSync('git', ['init', '-q', root]);
    });
    const ignored = { '.gitignore': 'dist/\n', 'package-lock.json': {} };

    const unbuilt = { name: 'one', main: './dist/index.js', scripts: { build: 'tsc' } };

    it.each([
      ['by the name of the package', { 'test/a.js': "import { a } from 'one';\n" }],
      ['by its top', { 'test/a.js': "const a = require('..');\n" }],
      ['by a path', { 'test/deep/a.test.ts': "import a from '../../dist/index.js';\n" }],
      ['from a program', { 'bin/one.js': "require('../dist');\n" }],
    ])('are added when a test imports what they produce: %s', async (_, importing) => {
      expect(await commandOf({ ...ignored, 'package.json': unbuilt, ...importing })).toBe(
        'npm ci && npm run build',
      );
    });

    it('are added when the tests themselves are built', async () => {
      const scripts = { build: 'tsc', test: 'node --test dist/test' };
      expect(await commandOf({ ...ignored, 'package.json': { ...unbuilt, scripts } })).toBe(
        'npm ci && npm run build',
      );
    });

    it('are added when another package of the workspace depends on their output', async () => {
      const all = {
        ...ignored,
        'package.json': { workspaces: ['packages/*'], scripts: {} },
        'packages/a/package.json': {
          name: 'a',
          exports: { '.': { types: './dist/*.d.ts' } },
          scripts: { build: 'x' },
        },
        'packages/b/package.json': { name: 'b', dependencies: { a: '*' } },
      };
      expect(await commandOf(all)).toBe('npm ci && npm run build --workspaces --if-present');
    });

    it('are not added when tests import the sources', async () => {
      const text = "import { a } from '../src/index.ts';\ntest('one', () => a('one').split('.'));\n";
      const tests = { 'test/a.test.ts': text };
      expect(await commandOf({ ...ignored, 'package.json': unbuilt, ...tests })).toBe('npm ci');
    });

    it('are not added when entry points are tracked, there is no build script, or the prepare script builds', async () => {
      const inTree = { main: 'src/index.js', scripts: { build: 'tsc' } };
      expect(await commandOf({ ...ignored, 'package.json': inTree })).toBe('npm ci');
      expect(await commandOf({ ...ignored, 'package.json': { main: 'dist/x.js' } })).toBe('npm ci');
      const itself = { main: 'dist/x.js', scripts: { build: 'tsc', prepare: 'npm run build' } };
      expect(await commandOf({ ...ignored, 'package.json': itself })).toBe('npm ci');
    });
  });
});

describe('the set-up proposed for Python', () => {
  it('installs the project in editable mode with test extras and groups, and pytest when no requirement names it', async () => {
    const files = {
      'pyproject.toml': `[project]\nname = "x"\n[project.optional-dependencies]\ntests = ["hypothesis"]\ndocs = ["sphinx"]\n`,
      'tests/test_x.py': 'def test_x():\n    pass\n',
    };
    expect(await proposed(files)).toEqual({
      tool: 'pip',
      command: "python3 -m venv .venv && .venv/bin/python -m pip install -e '.[tests]' pytest",
      because: 'pyproject.toml',
    });
    const grouped = { 'pyproject.toml': '[project]\nname = "x"\n[dependency-groups]\ndev = ["pytest>=8"]\n' };
    expect(await commandOf({ ...files, ...grouped })).toBe(
      'python3 -m venv .venv && .venv/bin/python -m pip install --upgrade pip && .venv/bin/python -m pip install -e . --group dev',
    );
  });

  it('reads setup.py and requirements files', async () => {
    const files = {
      'setup.py': 'setup(name="x", extras_require={"test": ["pytest"]})\n',
      'requirements.txt': 'attrs\n',
      'requirements-dev.txt': 'pytest\n',
    };
    expect(await commandOf(files)).toBe(
      "python3 -m venv .venv && .venv/bin/python -m pip install -e '.[test]' -r requirements-dev.txt",
    );
    await rm(join(root, 'setup.py'));
    expect(await commandOf({})).toBe(
      'python3 -m venv .venv && .venv/bin/python -m pip install -r requirements.txt -r requirements-dev.txt',
    );
  });

  it('uses requirements from tox.ini, except those with conditions', async () => {
    const files = {
      'setup.cfg': '[metadata]\nname = x\n',
      'tox.ini':
        '[tox]\nenvlist = py3\n\n[testenv]\ndeps =\n    pytest\n    hypothesis>=6\n    py38: mock\n    -r{toxinidir}/x.txt\ncommands = pytest\n',
    };
    expect(await commandOf(files)).toBe(
      "python3 -m venv .venv && .venv/bin/python -m pip install -e . pytest 'hypothesis>=6'",
    );
  });

  it.each([
    [
      'Poetry',
      `[tool.poetry.group.dev.dependencies]
python = "^3.9"
pytest = "^8.3"
six = "~1.16.0"
attrs = { version = ">=20,<30", extras = ["tests"], markers = "python_version > '3'" }
mock = "*"
zero = "^0.2"
local = { path = "../local" }
[tool.poetry.group.docs.dependencies]
sphinx = "^7"
[tool.poetry.dev-dependencies]
old = "1.*"
either = "^1 || ^2"
`,
      "'old==1.*' either 'pytest>=8.3,<9' 'six>=1.16.0,<1.17' " +
        `'attrs[tests]>=20,<30; python_version > "3"' mock 'zero>=0.2,<0.3'`,
    ],
    ['PDM', '[tool.pdm.dev-dependencies]\ntest = ["pytest>=8", "-e file:///x"]\n', "'pytest>=8'"],
    [
      'Hatch',
      '[tool.hatch.envs.default]\ndependencies = ["pytest"]\n[tool.hatch.envs.test]\nextra-dependencies = ["six"]\n',
      'pytest six',
    ],
    ['uv', '[tool.uv]\ndev-dependencies = ["pytest"]\n', 'pytest'],
    ['tox', '[tool.tox.env_run_base]\ndeps = ["pytest", "-r x.txt"]\n', 'pytest'],
  ])('uses the test requirements in the tables of %s', async (_, table, requirements) => {
    const files = {
      'pyproject.toml': `[project]\nname = "x"\n${table}`,
      'tests/test_x.py': 'import pytest\n',
    };
    expect(await commandOf(files)).toBe(
      `python3 -m venv .venv && .venv/bin/python -m pip install -e . ${requirements}`,
    );
  });

  it('ignores a pyproject.toml that only configures tools', async () => {
    expect(await proposed({ 'pyproject.toml': '[tool.ruff]\nline-length = 100\n' })).toBeNull();
  });

  it('uses uv if it is installed, with the test groups', async () => {
    const files = {
      'pyproject.toml': '[project]\nname = "x"\n[dependency-groups]\ntest = ["pytest"]\n',
      'uv.lock': 'version = 1\n',
    };
    expect(await commandOf(files, { programs: ['uv'] })).toBe('uv sync --frozen --group test');
  });
});

describe('other package managers', () => {
  it('proposes `go mod download` for modules with requirements, and `cargo fetch` with or without a lockfile', async () => {
    expect(await commandOf({ 'go.mod': 'module x\n\nrequire y v1.0.0\n' })).toBe('go mod download');
    await rm(join(root, 'go.mod'));
    expect(await commandOf({ 'Cargo.toml': '[package]\nname = "x"\n' })).toBe('cargo fetch');
    expect(await commandOf({ 'Cargo.lock': '' })).toBe('cargo fetch --locked');
  });

  it.each([
    ['uv.lock', 'pyproject.toml', '[project]\nname = "x"\n', 'pyproject.toml'],
    ['Cargo.lock', 'Cargo.toml', '[package]\nname = "x"\n', 'Cargo.toml, Cargo.lock is ignored by git'],
    ['vendor', 'go.mod', 'module x\n\nrequire y v1.0.0\n', 'go.mod'],
  ])('does not rely on %s if git ignores it', async (name, manifest, text, because) => {
    execFileSync('git', ['init', '-q', root]);
    const files = { '.gitignore': `${name}\n`, [manifest]: text, [name]: '' };
    expect((await proposed(files, { programs: ['uv'] }))?.because).toBe(because);
  });

  it('does not read requirements that git ignores', async () => {
    execFileSync('git', ['init', '-q', root]);
    const files = { 'requirements/test.txt': 'pytest\n', 'requirements.txt': 'x\n' };
    expect(await commandOf({ ...files, '.gitignore': 'test.txt\n' })).toBe(
      'python3 -m venv .venv && .venv/bin/python -m pip install -r requirements.txt',
    );
  });

  it('also installs from the requirements file in the test folder of a Python distribution', async () => {
    const files = { 'setup.py': 'setup(name="x")\n', 'tests/requirements.txt': 'pytest\npytest-subtests\n' };
    expect(await commandOf({ ...files, 'tests/test_a.py': 'import pytest\n' })).toBe(
      'python3 -m venv .venv && .venv/bin/python -m pip install -e . -r tests/requirements.txt',
    );
  });

  it('creates go.mod for a Go package without one, with the module path found in its files', async () => {
    expect(await commandOf({ 'say.go': 'package say\n' })).toBeUndefined();
    const tests = 'package say_test\n\nimport (\n\t"testing"\n\n\t"example.com/go-say"\n)\n';
    expect(await commandOf({ 'say_test.go': tests })).toBe(
      'test -f go.mod || { go mod init example.com/go-say && go mod tidy; }',
    );
    const commented = 'package say // import "example.com/say"\n';
    expect(await commandOf({ 'a.go': commented })).toContain('go mod init example.com/say ');
  });

  it('proposes nothing when nothing has to be downloaded', async () => {
    expect(await proposed({ 'go.mod': 'module x\n', 'README.md': '' })).toBeNull();
  });

  it('combines several runtimes, but ignores a package.json without tests', async () => {
    const python = { 'setup.py': 'setup(name="x")\n' };
    expect(
      (await proposed({ ...python, 'package.json': { devDependencies: { prettier: '3' } } }))?.tool,
    ).toBe('pip');
    expect((await proposed({ ...python, 'package.json': { scripts: { test: 'x' } } }))?.tool).toBe(
      'npm, pip',
    );
  });
});
