import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { proposeChecks } from '../../../src/proof/checks/propose-checks.ts';

const made: string[] = [];
afterAll(() => Promise.all(made.map(dir => rm(dir, { recursive: true, force: true }))));

async function proposed(files: Record<string, string | object>, directory = '.') {
  const root = await mkdtemp(join(tmpdir(), 'dure-recognize-'));
  made.push(root);
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  if ('.gitignore' in files) execFileSync('git', ['init', '-q', root]);
  const proposals = await proposeChecks(root, directory);
  return Object.fromEntries(proposals.map(({ name, command }) => [name, command]));
}
const scripts = (scripts: Record<string, string>, more: object = {}) => ({
  'package.json': { name: 'p', scripts, ...more },
});

describe('the checks of a JavaScript project', () => {
  it('are its scripts, run by the package manager that its lockfile indicates', async () => {
    const own = { test: 'vitest run', lint: 'eslint .', typecheck: 'tsc --noEmit', build: 'tsc' };
    expect(await proposed({ ...scripts(own), 'package-lock.json': '{}' })).toEqual({
      test: 'npm test',
      lint: 'npm run lint',
      types: 'npm run typecheck',
    });
    expect(await proposed({ ...scripts(own), 'pnpm-lock.yaml': '' })).toEqual({
      test: 'pnpm test',
      lint: 'pnpm run lint',
      types: 'pnpm run typecheck',
    });
    expect(await proposed({ ...scripts(own), 'yarn.lock': '' })).toMatchObject({ test: 'yarn test' });
    expect(await proposed({ ...scripts(own), 'bun.lock': '' })).toMatchObject({ test: 'bun run test' });
    // If both lockfiles exist, the proposed set-up is `npm ci`.
    const both = { 'package-lock.json': '{}', 'yarn.lock': '' };
    expect(await proposed({ ...scripts(own), ...both })).toMatchObject({ test: 'npm test' });
    expect(await proposed(scripts(own, { packageManager: 'pnpm@9.0.0' }))).toMatchObject({
      test: 'pnpm test',
    });
  });

  it('do not include scripts that fix files, which would hide the problems they find', async () => {
    const repairs = { lint: 'npm run lint:code && prettier --write .', 'lint:code': 'oxlint --fix' };
    expect(await proposed(scripts({ test: 'vitest run', ...repairs }))).toEqual({ test: 'npm test' });
    expect(await proposed(scripts({ ...repairs, 'lint:check': 'oxlint' }))).toEqual({
      lint: 'npm run lint:check',
    });
    expect(await proposed(scripts({ lint: 'npm run lint:code', 'lint:code': 'oxlint --fix' }))).toEqual({});
    expect(await proposed(scripts({ test: 'eslint --fix . && vitest run' }))).not.toHaveProperty('lint');
  });

  it('do not depend on a lockfile that git ignores', async () => {
    const files = { ...scripts({ test: 'vitest run' }), 'yarn.lock': '', 'pnpm-lock.yaml': '' };
    expect(await proposed({ ...files, '.gitignore': '*-lock.*\nyarn.lock\n' })).toEqual({ test: 'npm test' });
    const above = { ...files, 'packages/a/package.json': { scripts: { test: 'jest' } } };
    expect(await proposed({ ...above, '.gitignore': 'pnpm-lock.yaml\n' }, 'packages/a')).toEqual({
      test: 'yarn test',
    });
  });

  it("in a monorepo, are only those of the package, run by the root's package manager", async () => {
    const files = {
      'package.json': { scripts: { test: 'turbo test' }, workspaces: ['packages/*'] },
      'pnpm-lock.yaml': '',
      'packages/a/package.json': { scripts: { test: 'jest' } },
    };
    expect(await proposed(files, 'packages/a')).toEqual({ test: 'pnpm test' });
    expect(await proposed(files)).toEqual({ test: 'pnpm test' });
  });

  it('do not include scripts that do nothing or never end', async () => {
    expect(await proposed(scripts({ test: 'echo "Error: no test specified" && exit 1' }))).toEqual({});
    expect(await proposed(scripts({ test: 'vitest --watch', lint: 'eslint . -w' }))).toEqual({});
    expect(await proposed(scripts({ test: 'jest --watch', 'test:ci': 'jest' }))).toEqual({
      test: 'npm run test:ci',
    });
    expect(await proposed({ 'package.json': 'not json' })).toEqual({});
    expect(await proposed({})).toEqual({});
  });

  it('split a script that lints, builds and tests, without losing anything', async () => {
    expect(
      await proposed(
        scripts({
          test: 'npm run build && npm run lint && npm run test-api',
          build: 'rollup -c',
          lint: 'eslint src',
          'test-api': 'mocha test',
        }),
      ),
    ).toEqual({
      test: 'npm run build && npm run test-api',
      lint: 'npm run build && npm run lint',
    });
    expect(await proposed(scripts({ test: 'xo && c8 ava && tsd' }))).toEqual({
      test: 'c8 ava',
      lint: 'xo',
      types: 'tsd',
    });
    expect(
      await proposed(
        scripts({
          pretest: 'npm run lint',
          test: 'run-s test:*',
          'test:unit': 'node --test',
          'test:types': 'tsc --noEmit',
          lint: 'standard',
        }),
      ),
    ).toEqual({ test: 'npm run test:unit', lint: 'npm run lint', types: 'npm run test:types' });
  });

  it('include tests that a wrapper with options runs, and do not mistake builds or formatters for tests', async () => {
    expect(
      await proposed(
        scripts({
          test: 'npm run build && npm run format && npm run test-coverage',
          build: 'tsc --build --clean && tsc --build && type-coverage',
          format: 'remark . --frail --output --quiet && prettier . --log-level warn --write && xo --fix',
          'test-coverage': 'c8 --100 --check-coverage --reporter lcov npm run test-api',
          'test-api': 'node --conditions development test.js',
        }),
      ),
    ).toEqual({
      test: 'npm run build && npm run test-coverage',
    });
  });

  it("do not mistake the project's own formatter for tests", async () => {
    expect(
      await proposed(
        scripts({
          test: 'npm run build && npm run format && npm run test-api',
          build: 'tsc --build',
          format: './packages/cli/cli.js --quiet -- . && prettier --write -- . && xo --fix',
          'test-api': 'node --conditions development test.js',
        }),
      ),
    ).toEqual({
      test: 'npm run build && npm run test-api',
    });
  });

  it('split consecutive test commands, because a failing one hides those after it', async () => {
    expect(
      await proposed(
        scripts({
          test: 'npm run test:node && npm run test:browser',
          'test:node': 'mocha test.js',
          'test:browser': 'karma start --single-run',
        }),
      ),
    ).toEqual({ test: 'npm run test:node', 'test-2': 'npm run test:browser' });
    const own = {
      test: 'vitest run && yarn test:build',
      'test:build': 'yarn build && vitest run',
      build: 'tsup',
    };
    expect(await proposed({ ...scripts(own), 'yarn.lock': '' })).toEqual({
      test: 'vitest run',
      'test-2': 'yarn test:build',
    });
    expect(await proposed(scripts({ test: 'TZ=UTC jest a && jest' }))).toEqual({
      test: 'TZ=UTC jest a',
      'test-2': 'jest',
    });
  });

  it('include programs that the package manager starts', async () => {
    const own = { test: 'pnpm lint && pnpm vitest run', lint: 'oxlint src', mocha: 'mocha a' };
    expect(await proposed({ ...scripts(own), 'pnpm-lock.yaml': '' })).toEqual({
      test: 'pnpm vitest run',
      lint: 'pnpm lint',
    });
    expect(
      await proposed({ ...scripts({ ...own, test: 'xo && pnpm mocha' }), 'pnpm-lock.yaml': '' }),
    ).toEqual({
      test: 'pnpm mocha',
      lint: 'xo',
    });
  });

  it('include each script that pnpm selects by a pattern', async () => {
    const own = {
      test: 'pnpm run "/^test:.*/"',
      'test:format': 'prettier . --list-different',
      'test:types': 'tsc --noEmit',
      'test:spec': 'vitest run',
    };
    expect(await proposed({ ...scripts(own), 'pnpm-lock.yaml': '' })).toEqual({
      test: 'pnpm run test:spec',
      lint: 'pnpm run test:format',
      types: 'pnpm run test:types',
    });
  });

  it('do not include a package audit, which needs the network', async () => {
    expect(
      await proposed(
        scripts({ test: 'nyc tape test/*.js', posttest: "npx npm@'>=10.2' audit --production" }),
      ),
    ).toEqual({ test: 'nyc tape test/*.js' });
  });

  it('leave a script unchanged if it is not a simple chain', async () => {
    for (const test of ['eslint . || true; mocha', 'eslint . & mocha', 'if x; then mocha; fi', 'npm test'])
      expect(await proposed(scripts({ test })), test).toEqual({ test: 'npm test' });
  });

  it("are not split under Plug'n'Play, because only yarn finds the programs", async () => {
    const files = { ...scripts({ test: 'xo && ava' }), 'yarn.lock': '', '.yarnrc.yml': '' };
    expect(await proposed(files)).toEqual({ test: 'yarn test' });
  });

  it('do not include a check that only repeats others', async () => {
    const own = { test: 'vitest run', lint: 'biome ci', check: 'npm run lint && npm test' };
    expect(await proposed(scripts(own))).toEqual({ test: 'npm test', lint: 'npm run lint' });
    expect(await proposed(scripts({ check: 'node check-licences.js' }))).toEqual({ check: 'npm run check' });
  });
});

describe('the checks of other projects', () => {
  it('use pytest and the linters that Python configuration and requirements name', async () => {
    const pyproject = `[project]
name = "p"
[dependency-groups]
dev = ["pytest>=8", "ruff", "mypy"]
[tool.pytest.ini_options]
testpaths = ["tests"]
[tool.ruff]
line-length = 100
[tool.mypy]
strict = true
`;
    expect(await proposed({ 'pyproject.toml': pyproject })).toEqual({
      test: 'python -m pytest',
      lint: 'python -m ruff check .',
      types: 'python -m mypy .',
    });
    const without = pyproject.replace(', "ruff", "mypy"', '').replace('strict = true', 'files = "src"');
    expect(await proposed({ 'pyproject.toml': without })).toEqual({ test: 'python -m pytest' });
  });

  it('use unittest if nothing mentions pytest', async () => {
    const files = { 'setup.py': 'from setuptools import setup\nsetup(name="p")\n' };
    expect(await proposed({ ...files, 'tests/test_a.py': '' })).toEqual({
      test: 'python -m unittest discover -v -s tests',
    });
    expect(await proposed({ ...files, 'tests/test_a.py': '', 'tests/conftest.py': '' })).toEqual({
      test: 'python -m pytest',
    });
    expect(await proposed(files)).toEqual({});
  });

  it('find Python tests in any folder and with any conventional name', async () => {
    const files = { 'setup.py': 'from setuptools import setup\nsetup(name="p")\n', 'p/__init__.py': '' };
    const nested = { ...files, 'p/tests/__init__.py': '', 'p/tests/a_test.py': 'import unittest\n' };
    expect(await proposed(nested)).toEqual({
      test: "python -m unittest discover -v -s p/tests -p '*_test.py' -t .",
    });
    expect(await proposed({ ...files, 'test.py': 'import unittest\n' })).toEqual({
      test: 'python -m unittest discover -v -s .',
    });
    expect(await proposed({ ...files, 'test_p.py': 'def test_p():\n    pass\n' })).toEqual({
      test: 'python -m pytest',
    });
    expect(await proposed({ 'package.json': '{}', 'tools/test_x.py': 'import unittest\n' })).toEqual({});
  });

  it('include linters only if the set-up installs them', async () => {
    const files = (tox: string) => ({
      'pyproject.toml':
        '[project]\nname = "p"\n[project.optional-dependencies]\nall = ["pytest", "ruff"]\n[tool.ruff]\n',
      'tox.ini': `[flake8]\n[testenv:lint]\ndeps = flake8\n${tox}`,
    });
    expect(await proposed(files(''))).toEqual({ test: 'python -m pytest' });
    expect(await proposed(files('[testenv]\ndeps = flake8\n'))).toEqual({
      test: 'python -m pytest',
      lint: 'python -m flake8',
    });
  });

  it('are go commands for Go, and cargo commands for Rust', async () => {
    expect(await proposed({ 'go.mod': 'module x\n' })).toEqual({
      test: 'go test ./...',
      lint: 'go vet ./...',
    });
    expect(await proposed({ 'Cargo.toml': '[package]\nname = "x"\n' })).toEqual({ test: 'cargo test' });
    expect(await proposed({ 'Cargo.toml': '[workspace]\n[package]\nname = "x"\n' })).toEqual({
      test: 'cargo test --workspace',
    });
  });

  it('are Makefile targets if nothing else is recognized', async () => {
    const makefile =
      'CC := cc\n.PHONY: test lint\nbuild:\n\tcc a.c\ntest: build\n\t./run\nlint:\n\tcppcheck .\n';
    expect(await proposed({ Makefile: makefile })).toEqual({ test: 'make test', lint: 'make lint' });
    expect(await proposed({ Makefile: makefile, 'go.mod': 'module x\n' })).toMatchObject({
      test: 'go test ./...',
    });
  });
});
