/** Which parts of a set-up build from the project's sources. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { joinedByAnd } from '../../../src/formats/text/shell-words.ts';
import { buildParts, setupPartsOf } from '../../../src/workspace/dependencies/set-up-parts.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dure-parts-'));
});
afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 20 }));

async function built(command: string): Promise<string[]> {
  const parts = await setupPartsOf(
    {
      checkout: folder,
      directory: '.',
      command: joinedByAnd(command),
      env: {},
      sandbox: { kind: 'none', why: 'a test' },
      stateFolder: folder,
      onOutput() {},
      signal: new AbortController().signal,
    },
    [],
  );
  return (await buildParts(parts)).map(({ command: { text } }) => text);
}

it.each([
  ['npm ci && npm run build', ['npm run build']],
  ['npm ci && npm run build:lib && npx tsc -p .', ['npm run build:lib', 'npx tsc -p .']],
  ['cd web && npm ci && yarn compile', ['cd web', 'yarn compile']],
  ['npx --yes pnpm@9 install && npx --yes pnpm@9 -r build', ['npx --yes pnpm@9 -r build']],
  [
    'pip install -r requirements.txt && python setup.py build_ext --inplace',
    ['python setup.py build_ext --inplace'],
  ],
  ['npm ci && node scripts/build.mjs', ['node scripts/build.mjs']],
  ['npm ci', []],
  ['npm ci; npm run build', ['npm run build']],
  ['set -e\n# Installs.\nnpm ci\n\nnpm run build # now', []],
  ['set -e\n# Installs.\nnpm ci\n\nnpm run build\n', ['set -e', 'npm run build']],
  ['if test -f a; then npm run build; fi', []],
  ['npm ci && go generate ./... && npm run codegen', ['go generate ./...', 'npm run codegen']],
  ['cd build && npm ci', []],
  ['npm ci && npx playwright install', []],
  ['npm ci && npx prisma generate', []],
  ['python3 -m venv .venv && .venv/bin/pip install .', []],
  ['make deps', []],
  ['go mod download', []],
])('the build parts of a set-up are found: %s', async (command, expected) => {
  expect(await built(command)).toEqual(expected);
});

it('builds that an installation calls are included', async () => {
  const scripts = { prepare: 'npm run build', postinstall: 'husky', build: 'tsc' };
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'a', scripts }));
  expect(await built('npm ci')).toEqual(['npm run prepare']);
  expect(await built('npm ci; echo done')).toEqual(['npm run prepare']);
  expect(await built('npm ci --ignore-scripts')).toEqual([]);
  await writeFile(join(folder, '.npmrc'), 'ignore-scripts=true\n');
  expect(await built('npm ci')).toEqual([]);
});

it('each build that an installation calls in workspace packages is included once', async () => {
  const write = async (at: string, manifest: object) => {
    await mkdir(join(folder, at), { recursive: true });
    await writeFile(join(folder, at, 'package.json'), JSON.stringify(manifest));
  };
  await write('.', { workspaces: ['packages/*'], scripts: { preprepare: 'tsc -b', prepare: 'husky' } });
  await write('packages/a', { name: 'a', dependencies: { b: '1' }, scripts: { prepare: 'tsup' } });
  await write('packages/b', { name: 'b', scripts: { postinstall: 'npm run build', build: 'tsc' } });
  await write('examples/c', { name: 'c', scripts: { prepare: 'tsc' } });
  expect(await built('npm ci')).toEqual(['npm run postinstall', 'npm run prepare', 'npm run prepare']);
});
