import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { proposeChecks } from '../../../src/proof/checks/recognize.ts';

const made: string[] = [];
afterAll(() => Promise.all(made.map(dir => rm(dir, { recursive: true, force: true }))));

async function proposed(files: Record<string, string | object>, directory = '.') {
  const root = await mkdtemp(join(tmpdir(), 'dure-recognize-'));
  made.push(root);
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  const proposals = await proposeChecks(root, directory);
  return Object.fromEntries(proposals.map(({ name, command }) => [name, command]));
}
const scripts = (scripts: Record<string, string>, more: object = {}) => ({
  'package.json': { name: 'p', scripts, ...more },
});

describe('the checks of a JavaScript project', () => {
  it('are its scripts, run by the package manager of its lockfile', async () => {
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
    expect(await proposed(scripts(own, { packageManager: 'pnpm@9.0.0' }))).toMatchObject({
      test: 'pnpm test',
    });
  });

  it('in a package of a monorepo are that package alone, run by the manager of the root', async () => {
    const files = {
      'package.json': { scripts: { test: 'turbo test' }, workspaces: ['packages/*'] },
      'pnpm-lock.yaml': '',
      'packages/a/package.json': { scripts: { test: 'jest' } },
    };
    expect(await proposed(files, 'packages/a')).toEqual({ test: 'pnpm test' });
    expect(await proposed(files)).toEqual({ test: 'pnpm test' });
  });

  it('are none where the scripts do nothing or never end', async () => {
    expect(await proposed(scripts({ test: 'echo "Error: no test specified" && exit 1' }))).toEqual({});
    expect(await proposed(scripts({ test: 'vitest --watch', lint: 'eslint . -w' }))).toEqual({});
    expect(await proposed(scripts({ test: 'jest --watch', 'test:ci': 'jest' }))).toEqual({
      test: 'npm run test:ci',
    });
    expect(await proposed({ 'package.json': 'not json' })).toEqual({});
    expect(await proposed({})).toEqual({});
  });

  it('of one script that lints, builds and tests are apart, and nothing is lost', async () => {
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

  it('that start behind a tool with options of its own are told from builds and linters', async () => {
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
      lint: 'npm run build && npm run format',
    });
  });

  it('of a script that is no plain chain are the script as it is', async () => {
    for (const test of ['eslint . || true; mocha', 'eslint . & mocha', 'if x; then mocha; fi', 'npm test'])
      expect(await proposed(scripts({ test })), test).toEqual({ test: 'npm test' });
  });

  it("of a script under Plug'n'Play are not taken apart: only yarn finds the programs", async () => {
    const files = { ...scripts({ test: 'xo && ava' }), 'yarn.lock': '', '.yarnrc.yml': '' };
    expect(await proposed(files)).toEqual({ test: 'yarn test' });
  });

  it('leave out a check that only repeats others', async () => {
    const own = { test: 'vitest run', lint: 'biome ci', check: 'npm run lint && npm test' };
    expect(await proposed(scripts(own))).toEqual({ test: 'npm test', lint: 'npm run lint' });
    expect(await proposed(scripts({ check: 'node check-licences.js' }))).toEqual({ check: 'npm run check' });
  });
});

describe('the checks of other projects', () => {
  it('are pytest and the linters that Python configuration and requirements name', async () => {
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

  it('are unittest where nothing names pytest', async () => {
    const files = { 'setup.py': 'from setuptools import setup\nsetup(name="p")\n' };
    expect(await proposed({ ...files, 'tests/test_a.py': '' })).toEqual({
      test: 'python -m unittest discover -v -s tests',
    });
    expect(await proposed({ ...files, 'tests/test_a.py': '', 'tests/conftest.py': '' })).toEqual({
      test: 'python -m pytest',
    });
    expect(await proposed(files)).toEqual({});
  });

  it('are those of go and cargo', async () => {
    expect(await proposed({ 'go.mod': 'module x\n' })).toEqual({
      test: 'go test ./...',
      lint: 'go vet ./...',
    });
    expect(await proposed({ 'Cargo.toml': '[package]\nname = "x"\n' })).toEqual({ test: 'cargo test' });
    expect(await proposed({ 'Cargo.toml': '[workspace]\n[package]\nname = "x"\n' })).toEqual({
      test: 'cargo test --workspace',
    });
  });

  it('are the targets of a Makefile where nothing else is recognised', async () => {
    const makefile =
      'CC := cc\n.PHONY: test lint\nbuild:\n\tcc a.c\ntest: build\n\t./run\nlint:\n\tcppcheck .\n';
    expect(await proposed({ Makefile: makefile })).toEqual({ test: 'make test', lint: 'make lint' });
    expect(await proposed({ Makefile: makefile, 'go.mod': 'module x\n' })).toMatchObject({
      test: 'go test ./...',
    });
  });
});
