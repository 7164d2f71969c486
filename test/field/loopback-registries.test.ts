import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type NpmRegistry, npmRegistry } from '../helpers/registry/npm.ts';
import { pythonIndex, whyNoPythonIndex } from '../helpers/registry/python.ts';
import { personAt } from '../helpers/registry/registry-user.ts';

const run = promisify(execFile);

async function folder(): Promise<{ top: string; project: string }> {
  const top = await mkdtemp(join(tmpdir(), 'dure-registry-'));
  onTestFinished(() => rm(top, { recursive: true, force: true, maxRetries: 10 }));
  const project = join(top, 'project');
  await mkdir(project);
  return { top, project };
}

describe('the loopback npm registry', () => {
  let registry: NpmRegistry;
  beforeAll(async () => {
    registry = await npmRegistry();
  });
  afterAll(() => registry.close());

  test.each([
    ['npm', 'npm install', 'npm ci', 'package-lock.json'],
    ['pnpm', 'pnpm install', 'pnpm install --frozen-lockfile', 'pnpm-lock.yaml'],
    ['yarn (berry)', 'yarn install', 'yarn install --immutable', 'yarn.lock'],
    ['yarn (classic)', 'yarn install', 'yarn install --frozen-lockfile', 'yarn.lock'],
  ])('serves %s, with and without a lockfile', async (name, first, second, lockfile) => {
    const { top, project } = await folder();
    const { env } = await personAt(
      top,
      { npm: registry.url },
      name.includes('classic') ? 'classic' : 'berry',
    );
    await writeFile(
      join(project, 'package.json'),
      JSON.stringify({ name: 'sample', version: '1.0.0', private: true, devDependencies: { vitest: '*' } }),
    );
    await writeFile(join(project, '.yarnrc.yml'), 'nodeLinker: node-modules\n');
    const sh = (command: string) => run('sh', ['-c', command], { cwd: project, env });
    await sh(first);
    expect(existsSync(join(project, lockfile))).toBe(true);
    await rm(join(project, 'node_modules'), { recursive: true });
    await sh(second);
    expect((await sh('node_modules/.bin/vitest --version')).stdout).toContain('vitest/');
  });

  test('serves what a test publishes', async () => {
    const { top, project } = await folder();
    const { env } = await personAt(top, { npm: registry.url });
    const published = join(project, 'published');
    await mkdir(published);
    const manifest = { name: '@sample/tiny', version: '1.2.3' };
    await writeFile(join(published, 'package.json'), JSON.stringify(manifest));
    registry.publish({ folder: published, manifest });
    await writeFile(join(project, 'package.json'), '{ "dependencies": { "@sample/tiny": "^1.0.0" } }');
    await run('npm', ['install'], { cwd: project, env });
    expect(await readFile(join(project, 'node_modules/@sample/tiny/package.json'), 'utf8')).toContain(
      '1.2.3',
    );
  });
});

const missing = whyNoPythonIndex();
test.skipIf(missing !== null)(
  `the loopback Python index serves pip, with build isolation${missing ? ` (skipped: ${missing})` : ''}`,
  async () => {
    const index = await pythonIndex();
    onTestFinished(() => index.close());
    const { top, project } = await folder();
    const { env } = await personAt(top, { npm: 'http://127.0.0.1:9', python: index.url });
    await mkdir(join(project, 'src/tiny'), { recursive: true });
    await writeFile(join(project, 'src/tiny/__init__.py'), 'ANSWER = 42\n');
    await writeFile(
      join(project, 'pyproject.toml'),
      '[build-system]\nrequires = ["setuptools"]\nbuild-backend = "setuptools.build_meta"\n\n[project]\nname = "tiny"\nversion = "0.1"\noptional-dependencies.test = ["pytest"]\n',
    );
    const sh = (command: string) => run('sh', ['-c', command], { cwd: project, env });
    await sh('python3 -m venv .venv && .venv/bin/pip install --quiet -e ".[test]"');
    expect((await sh('.venv/bin/python -c "import tiny; print(tiny.ANSWER)"')).stdout).toBe('42\n');
    expect((await sh('.venv/bin/pytest --version')).stdout).toContain('pytest');
  },
);
