/** Converts the set-up to a script, for environments without Dure. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { setUpScript, toolsScript } from '../../../src/workspace/dependencies/portable-set-up-script.ts';
import { whyNoPythonIndex } from '../../helpers/registry/python.ts';

const noPython = whyNoPythonIndex();

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dure-script-'));
});
afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 20 }));

const sh = (script: string, PATH = '/usr/bin:/bin'): string =>
  execFileSync('sh', ['-c', script], {
    cwd: folder,
    env: { PATH, HOME: folder, PIP_INDEX_URL: 'http://127.0.0.1:1/simple', PIP_RETRIES: '0' },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });

it('the script runs its parts in order, and exits at the first failure', () => {
  sh(setUpScript(`echo "it's $CI" > one && cd / && pwd > ${folder}/two`));
  expect(sh('cat one two')).toBe("it's 1\n/\n");
  expect(() => sh(`${setUpScript('false && touch three')}touch four`)).toThrow();
  expect(['three', 'four'].filter(name => existsSync(join(folder, name)))).toEqual([]);
});

async function program(name: string, text: string): Promise<void> {
  await mkdir(join(folder, 'bin'), { recursive: true });
  await writeFile(join(folder, 'bin', name), `#!/bin/sh\n${text}\n`);
  await chmod(join(folder, 'bin', name), 0o755);
}
/** Returns the output of the set-up followed by a command, run the way check.sh runs the tests. */
const repeated = (setup: string, after: string): string[] =>
  sh(
    `exec 2>&1; set -e\n${toolsScript(setup)}(\n${setUpScript(setup)})\n${after}`,
    `${folder}/bin:/usr/bin:/bin`,
  )
    .trim()
    .split('\n');

it('a package manager that npx would download is on PATH for the set-up and the tests', async () => {
  // A fake npm: it installs a program that prints how it was called.
  await program(
    'npm',
    `bin="$3/node_modules/.bin"; mkdir -p "$bin"; echo "npm $1 $5"
{ echo '#!/bin/sh'; echo 'echo "pnpm $*"'; } > "$bin/pnpm"; chmod +x "$bin/pnpm"`,
  );
  expect(repeated('npx --yes pnpm@9.1.0 install && npx --yes pnpm@9.1.0 run build', 'pnpm test')).toEqual([
    'npm install pnpm@9.1.0',
    'pnpm install',
    'pnpm run build',
    'pnpm test',
  ]);
});

it('the Yarn release in the project is on PATH as yarn', async () => {
  await mkdir(join(folder, '.yarn/releases'), { recursive: true });
  await mkdir(join(folder, 'packages/a'), { recursive: true });
  await writeFile(join(folder, '.yarn/releases/yarn-4.cjs'), 'console.log("carried", process.argv[2]);');
  await program('node', `exec '${process.execPath}' "$@"`);
  expect(repeated('node .yarn/releases/yarn-4.cjs install', 'cd packages/a && yarn test')).toEqual([
    'carried install',
    'carried test',
  ]);
});

it('the installed version of pnpm is used, in the set-up and in the tests', async () => {
  await program('pnpm', 'echo "$1 $npm_config_manage_package_manager_versions"');
  expect(repeated('pnpm install', 'pnpm test')).toEqual(['install false', 'test false']);
});

it.skipIf(noPython !== null)(
  "without a package index, a Python project gets the machine's packages and its own sources",
  async () => {
    await writeFile(
      join(folder, 'pyproject.toml'),
      '[project]\nname = "here"\nversion = "1"\n[build-system]\nrequires = ["no-such-backend"]\nbuild-backend = "none"\n',
    );
    await writeFile(join(folder, 'here.py'), 'said = "here"\n');
    const setup = 'python3 -m venv .venv && .venv/bin/python -m pip install -e . pytest';
    sh(setUpScript(`touch before && ${setup} && touch after`));
    const says = 'import here, pytest; print(here.said, here.__file__)';
    expect(sh(`.venv/bin/python -c '${says}' && ls before after`)).toBe(
      `here ${folder}/here.py\nafter\nbefore\n`,
    );
  },
);
