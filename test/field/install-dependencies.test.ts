/** Set-ups with the real package managers, against registries on the loopback interface. */
import { execFileSync } from 'node:child_process';
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findSandbox } from '../../src/process/sandbox/find-sandbox.ts';
import { installDependencies } from '../../src/workspace/dependencies/install-dependencies.ts';
import { installIn } from '../helpers/registry/install-in-checkout.ts';
import { type NpmRegistry, npmRegistry } from '../helpers/registry/npm.ts';
import { type PythonIndex, pythonIndex, whyNoPythonIndex } from '../helpers/registry/python.ts';
import { type Person, personAt } from '../helpers/registry/registry-user.ts';

const noPython = whyNoPythonIndex();
let npm: NpmRegistry;
let python: PythonIndex | null;
beforeAll(async () => {
  npm = await npmRegistry();
  python = noPython === null ? await pythonIndex() : null;
});
afterAll(async () => {
  await npm.close();
  await python?.close();
});

let top: string;
let person: Person;
beforeEach(async () => {
  top = await mkdtemp(join(tmpdir(), 'dure-install-'));
  person = await personAt(top, { npm: npm.url, python: python?.url });
});
afterEach(() => rm(top, { recursive: true, force: true, maxRetries: 20 }));

type Files = Readonly<Record<string, string | object>>;

/** A tree with these files in a separate repository. */
async function tree(name: string, files: Files): Promise<string> {
  const at = join(top, 'trees', name);
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(at, path)), { recursive: true });
    await writeFile(join(at, path), typeof content === 'string' ? content : JSON.stringify(content));
  }
  execFileSync('git', ['init', '-q', at]);
  execFileSync('git', ['-C', at, 'add', '-A', '-f']);
  execFileSync('git', [
    '-C',
    at,
    '-c',
    'user.name=x',
    '-c',
    'user.email=x@x',
    'commit',
    '-qm',
    'x',
    '--allow-empty',
  ]);
  return at;
}

const install = (
  checkout: string,
  command: string,
  { directory, env = person.env }: { directory?: string; env?: Record<string, string> } = {},
) => installIn(top, { checkout, command, env, ...(directory !== undefined && { directory }) });

const node = (cwd: string, code: string): string =>
  execFileSync(process.execPath, ['-e', code], { cwd, encoding: 'utf8' }).trim();
const status = (at: string): string =>
  execFileSync('git', ['-C', at, 'status', '--porcelain'], { encoding: 'utf8' });

async function* filesBelow(dir: string): AsyncGenerator<string> {
  for (const entry of await readdir(dir, { withFileTypes: true }))
    if (entry.isDirectory()) yield* filesBelow(join(dir, entry.name));
    else if (entry.isFile()) yield join(dir, entry.name);
}

/** Files below the folder that are hard links. */
async function hardLinked(dir: string): Promise<string[]> {
  const found: string[] = [];
  for await (const file of filesBelow(dir)) if ((await lstat(file)).nlink > 1) found.push(file);
  return found;
}

describe('npm', () => {
  const WORKSPACE: Files = {
    '.gitignore': 'node_modules\n',
    'package.json': {
      name: 'root',
      private: true,
      workspaces: ['packages/*'],
      dependencies: { ms: '*' },
      scripts: { prepare: 'echo "hooks $HUSKY $CI" > prepared.txt' },
    },
    'packages/a/package.json': { name: 'a', version: '1.0.0', main: 'index.js', bin: { 'say-a': 'cli.js' } },
    'packages/a/index.js': 'module.exports = "a of this tree";\n',
    'packages/a/cli.js': '#!/usr/bin/env node\nconsole.log(require("a"));\n',
    'packages/b/package.json': {
      name: 'b',
      version: '1.0.0',
      dependencies: { a: '*' },
      scripts: { postinstall: 'echo b > made' },
    },
  };

  it('installs once for all trees, and links workspace packages into each tree', async () => {
    const first = await tree('one/project', WORKSPACE);
    const done = await install(first, 'npm install');
    expect(done, done.log).toMatchObject({ ok: true, reused: false });
    const asked = npm.asked.length;
    const second = await tree('two/project', {
      ...WORKSPACE,
      'packages/a/index.js': 'module.exports = "a of the other tree";\n',
    });
    const again = await install(second, 'npm install');
    expect(again, again.log).toMatchObject({ ok: true, reused: true });
    expect(npm.asked.slice(asked)).toEqual([]);
    for (const [at, says] of [
      [first, 'a of this tree'],
      [second, 'a of the other tree'],
    ] as const) {
      expect(node(join(at, 'packages/b'), 'console.log(require("a"), typeof require("ms"))')).toBe(
        `${says} function`,
      );
      expect(await readFile(join(at, 'prepared.txt'), 'utf8')).toBe('hooks 0 1\n');
      expect(await readFile(join(at, 'packages/b/made'), 'utf8')).toBe('b\n');
      expect(await hardLinked(join(at, 'node_modules'))).toEqual([]);
      await chmod(join(at, 'packages/a/cli.js'), 0o755);
      expect(execFileSync(join(at, 'node_modules/.bin/say-a'), { encoding: 'utf8' })).toBe(`${says}\n`);
    }
    expect(again.bin).toContain(join(second, 'node_modules/.bin'));
  });

  it('package changes in one tree do not affect other trees', async () => {
    const files = { 'package.json': { dependencies: { ms: '*' } } };
    const first = await tree('one/project', files);
    await install(first, 'npm install');
    await writeFile(join(first, 'node_modules/ms/index.js'), 'module.exports = "forged";\n');
    const second = await tree('two/project', files);
    await install(second, 'npm install');
    expect(node(second, 'console.log(typeof require("ms"))')).toBe('function');
  });

  it('concurrent set-ups prepare only one folder, and an interrupted set-up leaves no incomplete folder', async () => {
    const files = { 'package.json': { dependencies: { ms: '*' } } };
    const cut = new AbortController();
    const at = await tree('cut/project', files);
    const stopped = installDependencies({
      checkout: at,
      directory: '.',
      command: 'npm install',
      env: person.env,
      sandbox: await findSandbox(person.env),
      stateFolder: join(top, 'state'),
      onOutput: () => cut.abort(new Error('cut off')),
      signal: cut.signal,
    });
    await expect(stopped).rejects.toThrow('cut off');
    const trees = await Promise.all(['one/project', 'two/project'].map(name => tree(name, files)));
    const done = await Promise.all(trees.map(one => install(one, 'npm install')));
    expect(done.map(({ ok }) => ok)).toEqual([true, true]);
    expect(done.map(({ reused }) => reused).sort()).toEqual([false, true]);
    const prepared = await readdir(join(top, 'state/prepared'));
    expect(prepared.filter(name => name.startsWith('node-'))).toHaveLength(1);
    for (const one of trees) expect(node(one, 'console.log(typeof require("ms"))')).toBe('function');
  });

  it('node_modules is excluded from results even if git does not ignore it, and so is an untracked lockfile', async () => {
    const at = await tree('project', { 'package.json': { dependencies: { ms: '*' } } });
    expect((await install(at, 'npm install')).ok).toBe(true);
    expect(status(at)).toBe('');
  });

  it("the project's own scripts run in the tree with its files, and a failing one fails the set-up", async () => {
    const at = await tree('project', {
      'package.json': { scripts: { prepare: 'node build.js' } },
      'build.js': 'console.log("why it fails"); process.exit(3);\n',
    });
    const done = await install(at, 'npm install');
    expect(done).toMatchObject({
      ok: false,
      problem: expect.stringContaining('npm run prepare: exit code 3'),
    });
    expect(done.log).toContain('why it fails');
  });

  it('commands after the installation command run in each tree, in the folder of the lockfile', async () => {
    const at = await tree('project', {
      'package.json': {
        workspaces: ['packages/*'],
        scripts: { build: 'mkdir dist && echo built > dist/index.js' },
      },
      'packages/a/package.json': { name: 'a' },
    });
    const done = await install(at, 'npm install && npm run build', { directory: 'packages/a' });
    expect(done, done.log).toMatchObject({ ok: true });
    expect(await readFile(join(at, 'dist/index.js'), 'utf8')).toBe('built\n');
  });

  it('distinguishes a failed build from a failed installation', async () => {
    const at = await tree('project', { 'package.json': { scripts: { build: 'exit 4' } } });
    expect(await install(at, 'npm install && npm run build && touch after.txt')).toMatchObject({
      problem: 'npm run build: exit code 4',
      failedBuilds: ['npm run build'],
    });
    expect(await readFile(join(at, 'after.txt'), 'utf8')).toBe('');
    expect(await install(at, 'npm run build && cd . && touch later.txt')).toMatchObject({
      problem: 'npm run build: exit code 4',
      failedBuilds: ['npm run build'],
    });
    expect(await install(at, 'npm run build && npm install no-such-package')).toMatchObject({
      problem: expect.stringContaining('npm install no-such-package: exit code'),
      failedBuilds: [],
    });
  });

  it('forwards the registry that ~/.npmrc sets, but no key that names a program', async () => {
    await writeFile(
      join(person.home, '.npmrc'),
      `registry=${npm.url}/\nscript-shell=${join(person.home, 'evil.sh')}\nnode-options=--require=${person.home}/evil.js\n`,
    );
    await writeFile(join(person.home, 'evil.sh'), '#!/bin/sh\ntouch evil\n', { mode: 0o755 });
    const at = await tree('project', {
      'package.json': { dependencies: { ms: '*' }, scripts: { prepare: 'echo ran > ran; env > env.txt' } },
    });
    const done = await install(at, 'npm install');
    expect(done, done.log).toMatchObject({ ok: true });
    expect(await readdir(at)).toContain('ran');
    expect(await readdir(at)).not.toContain('evil');
    expect(await readFile(join(at, 'env.txt'), 'utf8')).not.toContain('evil');
  });

  it('an unknown command runs unchanged', async () => {
    const at = await tree('project', { 'sub/Makefile': 'all:\n\techo made > made\n' });
    const done = await install(at, 'cd . && echo one; echo two > made', { directory: 'sub' });
    expect(done, done.log).toMatchObject({ ok: true, reused: false });
    expect(await readFile(join(at, 'sub/made'), 'utf8')).toBe('two\n');
    expect(await install(at, 'echo the reason >&2; exit 7')).toMatchObject({
      ok: false,
      problem: expect.stringContaining('exit code 7'),
      log: expect.stringContaining('the reason'),
    });
  });
});

describe('other Node package managers', () => {
  const files = (more: object = {}): Files => ({
    '.gitignore': 'node_modules\n',
    'package.json': { name: 'root', private: true, dependencies: { ms: '*' }, ...more },
  });

  it('pnpm installs with its store in the state folder and without hard links into it', async () => {
    const workspace: Files = {
      ...files({ dependencies: { ms: '*', a: 'workspace:*' } }),
      'pnpm-workspace.yaml': 'packages:\n  - packages/*\n',
      'packages/a/package.json': { name: 'a', version: '1.0.0', main: 'index.js' },
      'packages/a/index.js': 'module.exports = "a";\n',
    };
    const at = await tree('project', workspace);
    const done = await install(at, 'pnpm install');
    expect(done, done.log).toMatchObject({ ok: true });
    expect(node(at, 'console.log(require("a"), typeof require("ms"))')).toBe('a function');
    expect(await hardLinked(join(at, 'node_modules'))).toEqual([]);
    expect(await readdir(join(top, 'state/stores'))).toContain('pnpm');
    expect(status(at)).toBe('');
  });

  it('Yarn 1 installs from a prepared folder', async () => {
    await rm(top, { recursive: true });
    await mkdir(top);
    person = await personAt(top, { npm: npm.url }, 'classic');
    const workspace: Files = {
      ...files({ workspaces: ['packages/*'], dependencies: { ms: '*' } }),
      'yarn.lock': '# yarn lockfile v1\n',
      'packages/a/package.json': { name: 'a', version: '1.0.0', main: 'index.js' },
      'packages/a/index.js': 'module.exports = "a";\n',
    };
    for (const [name, reused] of [
      ['one/project', false],
      ['two/project', true],
    ] as const) {
      const at = await tree(name, workspace);
      const done = await install(at, 'yarn install');
      expect(done, done.log).toMatchObject({ ok: true, reused });
      expect(node(at, 'console.log(require("a"), typeof require("ms"))')).toBe('a function');
    }
  });

  it.each(['node-modules', 'pnp'])('Yarn 2 or later installs with the linker %s', async linker => {
    const at = await tree('project', {
      ...files(),
      '.gitignore': 'node_modules\n.pnp.*\n.yarn\n',
      '.yarnrc.yml': `nodeLinker: ${linker}\n`,
      'yarn.lock': '__metadata:\n  version: 8\n',
    });
    const done = await install(at, 'yarn install --no-immutable');
    expect(done, done.log).toMatchObject({ ok: true });
    const hook = linker === 'pnp' ? 'require("./.pnp.cjs").setup();' : '';
    expect(node(at, `${hook} console.log(typeof require("ms"))`)).toBe('function');
  });

  it('the Yarn release in the project is on PATH as yarn, in every tree', async () => {
    const carried = {
      'package.json': {},
      '.yarn/releases/yarn-4.cjs':
        'require("fs").appendFileSync("calls", __dirname + " " + process.argv[2] + " ");',
    };
    for (const name of ['one', 'two']) {
      const at = await tree(name, carried);
      const done = await install(at, 'node .yarn/releases/yarn-4.cjs install && yarn build');
      expect(done, done.log).toMatchObject({ ok: true });
      const release = join(at, '.yarn/releases');
      expect(await readFile(join(at, 'calls'), 'utf8')).toBe(`${release} install ${release} build `);
      expect(await readdir(done.bin.at(-1)!)).toEqual(['yarn']);
    }
  });

  it('a missing package manager is downloaded once, and is also available to tests', async () => {
    const at = await tree('project', {
      'package.json': { name: 'root', scripts: { postinstall: 'pnpm --version > v' } },
    });
    const version = JSON.parse(
      await readFile(new URL('../../node_modules/pnpm/package.json', import.meta.url), 'utf8'),
    ).version;
    const done = await install(at, `npx --yes pnpm@${version} install`);
    expect(done, done.log).toMatchObject({ ok: true });
    expect(await readFile(join(at, 'v'), 'utf8')).toBe(`${version}\n`);
    expect(done.bin.at(-1)).toMatch(/tools\/pnpm@.*\.bin$/);
    const asked = npm.asked.length;
    expect(
      (await install(await tree('two', { 'package.json': {} }), `npx --yes pnpm@${version} install`)).ok,
    ).toBe(true);
    expect(npm.asked.slice(asked)).toEqual([]);
  });
});

describe.skipIf(noPython !== null)('Python', () => {
  const SRC: Files = {
    '.gitignore': '.venv\n*.egg-info\n',
    'pyproject.toml':
      '[build-system]\nrequires = ["setuptools"]\nbuild-backend = "setuptools.build_meta"\n[project]\nname = "thing"\nversion = "1.2.3"\n[project.scripts]\nthing = "thing:main"\n',
    'src/thing/__init__.py': 'WHERE = __file__\ndef main():\n    print("from", WHERE)\n',
    'tests/test_thing.py': 'import pytest\nfrom thing import WHERE\ndef test_where():\n    print(WHERE)\n',
  };
  const COMMAND = 'python3 -m venv .venv && .venv/bin/python -m pip install -e . pytest';
  const run = (at: string, ...argv: [string, ...string[]]): string =>
    execFileSync(join(at, '.venv/bin', argv[0]), argv.slice(1), { cwd: at, encoding: 'utf8' });

  it('installs the project in editable mode in each tree, and its requirements once for all trees', async () => {
    for (const [name, reused] of [
      ['one/project', false],
      ["two/a person's project", true],
    ] as const) {
      const at = await tree(name, SRC);
      const done = await install(at, COMMAND);
      expect(done, done.log).toMatchObject({ ok: true, reused });
      expect(done.log).toContain('The project is installed in editable mode');
      expect(done.log).not.toContain('The package indexes did not');
      expect(run(at, 'thing')).toBe(`from ${join(at, 'src/thing/__init__.py')}\n`);
      expect(run(at, 'pytest', '-q', '-s')).toContain('1 passed');
      expect(status(at)).toBe('');
    }
  });

  it('installs dependencies that only the build backend knows about', async () => {
    const METADATA = 'Metadata-Version: 2.1\\nName: thing\\nVersion: 1.2.3\\nRequires-Dist: iniconfig\\n';
    const at = await tree('project', {
      ...SRC,
      'pyproject.toml':
        '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n[tool.other.dependencies]\niniconfig = "^2"\n',
      'backend.py': `import os, zipfile
def build_editable(folder, settings=None, metadata=None):
    name = "thing-1.2.3-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(folder, name), "w") as wheel:
        wheel.writestr("thing.pth", os.path.abspath("src") + "\\n")
        wheel.writestr("thing-1.2.3.dist-info/METADATA", "${METADATA}")
        wheel.writestr("thing-1.2.3.dist-info/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr("thing-1.2.3.dist-info/RECORD", "thing.pth,,\\nthing-1.2.3.dist-info/METADATA,,\\nthing-1.2.3.dist-info/WHEEL,,\\nthing-1.2.3.dist-info/RECORD,,\\n")
    return name
`,
    });
    const done = await install(at, 'python3 -m venv .venv && .venv/bin/python -m pip install -e .');
    expect(done, done.log).toMatchObject({ ok: true });
    expect(run(at, 'python', '-c', 'import iniconfig, thing; print(thing.WHERE)')).toContain(join(at, 'src'));
  });

  it('a command in an unrecognized form runs unchanged', async () => {
    const at = await tree('project', SRC);
    const done = await install(
      at,
      'python3 -m venv .venv && .venv/bin/python -m pip install --no-cache-dir pytest',
    );
    expect(done, done.log).toMatchObject({ ok: true, reused: false });
    expect(run(at, 'pytest', '--version')).toContain('pytest');
  });

  it('without a reachable package index, uses installed packages and the sources of the tree, and says so', async () => {
    const at = await tree('project', SRC);
    const env = { ...person.env, PIP_INDEX_URL: 'http://127.0.0.1:9/simple', PATH: '/usr/bin:/bin' };
    const done = await install(at, COMMAND, { env });
    expect(done, done.log).toMatchObject({ ok: true });
    expect(done.log).toContain('The package indexes do not provide all');
    expect(run(at, 'python', '-c', 'import thing; thing.main()')).toBe(
      `from ${join(at, 'src/thing/__init__.py')}\n`,
    );
    expect(run(at, 'pytest', '-q', '-s')).toContain('1 passed');
    expect(run(at, 'thing')).toContain(join(at, 'src'));
    const path = run(at, 'python', '-c', 'import sys; print("\\n".join(sys.path))').split('\n');
    const machine = path.indexOf('/usr/lib/python3/dist-packages');
    expect(machine).toBeGreaterThan(path.indexOf(join(at, 'src')));
  });
});
