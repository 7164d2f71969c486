/**
 * Runs the real tools in the root of a project with three runs, with and without the lines that `dure init` suggests.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { runFiles } from '../../src/formats/layout.ts';
import { packageRoot } from '../../src/process/package-paths-and-version.ts';
import { type TestProject, testProject } from '../helpers/test-project.ts';

/** Packages that only this test needs are installed in a git-ignored folder by its first run. */
const cache = join(packageRoot, '.cache/tools');
const FETCHED = ['jest@30', 'eslint@9', 'prettier@3', 'mocha@11', 'oxlint@1'];
const own = join(packageRoot, 'node_modules');
const fetched = join(cache, 'node_modules');

const programs = {
  vitest: join(own, 'vitest/vitest.mjs'),
  tsc: join(own, 'typescript/bin/tsc'),
  biome: join(own, '@biomejs/biome/bin/biome'),
  jest: join(fetched, 'jest/bin/jest.js'),
  eslint: join(fetched, 'eslint/bin/eslint.js'),
  prettier: join(fetched, 'prettier/bin/prettier.cjs'),
  mocha: join(fetched, 'mocha/bin/mocha.js'),
  oxlint: join(fetched, 'oxlint/bin/oxlint'),
};
type Program = keyof typeof programs;

let unreachable = '';
beforeAll(async () => {
  if (Object.values(programs).every(file => existsSync(file))) return;
  await mkdir(cache, { recursive: true });
  await writeFile(join(cache, 'package.json'), '{ "private": true }\n');
  const args = ['install', '--no-audit', '--no-fund', '--prefix', cache, ...FETCHED];
  const { code, output } = await ran('npm', args, cache);
  if (code !== 0) unreachable = `npm could not fetch ${FETCHED.join(', ')}: ${output.slice(-300)}`;
});

function ran(program: string, args: readonly string[], cwd: string) {
  const env = { ...process.env, NODE_ENV: undefined, VITEST: undefined, NO_COLOR: '1', CI: '1' };
  return new Promise<{ code: number; output: string }>(resolve => {
    execFile(program, args, { cwd, env, maxBuffer: 50_000_000 }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, output: `${stdout}\n${stderr}` }),
    );
  });
}

const SEES: Record<Program, readonly string[]> = {
  vitest: ['list', '--filesOnly'],
  tsc: ['--listFilesOnly'],
  biome: ['lint', '--max-diagnostics=none', '--reporter=json', '.'],
  jest: ['--listTests', '--reporters=default'],
  eslint: ['.', '--format=json'],
  prettier: ['.', '--list-different'],
  mocha: ['--dry-run', '--reporter=json'],
  oxlint: ['.', '--format=unix', '-D', 'no-debugger'],
};

/** The output of a tool that lists its files. */
const seen = async (tool: Program, cwd: string): Promise<string> =>
  (await ran(process.execPath, [programs[tool], ...SEES[tool]], cwd)).output;

const VITEST = "import { test } from 'vitest';\ntest('x', () => {});\n";
const JEST = "test('x', () => {});\n";

/** A typical project, with tests named so that each runner has its own. */
const FILES: Record<string, string> = {
  '.gitignore': 'node_modules\n',
  'package.json':
    '{\n  "name": "sample",\n  "type": "module",\n  "devDependencies": { "prettier": "3" }\n}\n',
  'src/own.ts': 'export const own: number = 1;\n',
  'src/own.js': 'debugger;\nexport const  own = 1;\n',
  'test/own.test.js': VITEST,
  'test/own.spec.js': JEST,
  'test/own.mocha.cjs': "describe('own', () => it('is', () => {}));\n",
  'vitest.config.ts':
    "import { defineConfig } from 'vitest/config';\n\nexport default defineConfig({\n  test: {\n    include: ['**/*.test.js'],\n  },\n});\n",
  'jest.config.js': "export default {\n  testMatch: ['**/*.spec.js'],\n};\n",
  'eslint.config.js': "export default [\n  { files: ['**/*.js'], rules: { 'no-debugger': 'error' } },\n];\n",
  'tsconfig.json':
    '{\n  // as strict as can be\n  "compilerOptions": { "strict": true, "noEmit": true, "types": [] },\n  "include": ["**/*.ts", ".*/**/*.ts"]\n}\n',
  'biome.json': '{\n  "linter": { "enabled": true }\n}\n',
  '.mocharc.json': '{ "recursive": true, "spec": ".", "extension": ["mocha.cjs"] }\n',
};

/** A project with three runs that have a pack, and additional files next to those of their agents. */
async function sample(files: Record<string, string> = FILES): Promise<TestProject> {
  const project = await testProject(files);
  onTestFinished(() => project.remove(), 120_000);
  await mkdir(join(project.root, 'node_modules/@biomejs'), { recursive: true });
  for (const [name, from] of [
    ['vitest', own],
    ['typescript', own],
    ['@biomejs/biome', own],
    ['jest', fetched],
  ] as const)
    await symlink(join(from, name), join(project.root, 'node_modules', name));
  return project;
}

async function threeRuns(project: TestProject): Promise<void> {
  for (let i = 0; i < 3; i += 1) {
    const { code, json } = await project.dureJson([
      'start',
      `Leave note ${i}`,
      '--backend',
      'rehearsal',
      '--launcher',
      'process',
      '--no-browser',
    ]);
    expect(json).toMatchObject({ ok: true, phase: 'ready_for_merge' });
    expect(code).toBe(0);
    const files = runFiles(project.files.run(String(json['run_id'])));
    // The worktree already contains the whole project; these are files beside the Verifier's and the pack's.
    for (const folder of [files.tests, files.mrpCode])
      for (const [name, text] of [
        ['decoy.test.js', VITEST],
        ['decoy.spec.js', JEST],
        ['decoy.mocha.cjs', FILES['test/own.mocha.cjs']!],
        ['decoy.ts', 'export const decoy: number = "no";\n'],
        ['decoy.js', 'debugger;\nexport const  decoy = 1;\n'],
      ] as const) {
        await mkdir(folder, { recursive: true });
        await writeFile(join(folder, name), text);
      }
  }
  expect(await readdir(project.files.runs)).toHaveLength(3);
}

/** The files with the suggested lines, added the way the user would add them. */
const WITH_LINES: Record<string, string> = {
  '.mocharc.json': '{ "recursive": true, "spec": ".", "extension": ["mocha.cjs"], "ignore": [".dure/**"] }\n',
  '.prettierignore': '.dure/\n',
  'biome.json': '{ "linter": { "enabled": true }, "files": { "includes": ["**", "!.dure"] } }\n',
  'eslint.config.js':
    "export default [\n  { files: ['**/*.js'], rules: { 'no-debugger': 'error' } },\n  { ignores: ['.dure/'] },\n];\n",
  'jest.config.js':
    "export default {\n  testMatch: ['**/*.spec.js'],\n  modulePathIgnorePatterns: ['<rootDir>/.dure/'],\n};\n",
  'tsconfig.json':
    '{\n  "compilerOptions": { "strict": true, "noEmit": true, "types": [] },\n  "include": ["**/*.ts", ".*/**/*.ts"],\n  "exclude": ["node_modules", ".dure"]\n}\n',
  'vitest.config.ts':
    "import { configDefaults, defineConfig } from 'vitest/config';\n\nexport default defineConfig({\n  test: {\n    include: ['**/*.test.js'],\n    exclude: [...configDefaults.exclude, '.dure/**'],\n  },\n});\n",
};

type Found = { tool: string; is: string; say: string }[];

describe('the tools in the root of a project with three runs', () => {
  it('read no file under .dure once the lines that init suggests are added', async context => {
    if (unreachable) context.skip(unreachable);
    const project = await sample();
    const first = await project.dureJson(['init', '--yes', '--backend', 'rehearsal']);
    const needed = (first.json['exclusions'] as Found).filter(one => one.is === 'needed');
    expect(needed.map(one => one.tool)).toEqual([
      'vitest',
      'jest',
      'mocha',
      'eslint',
      'biome',
      'prettier',
      'tsc',
    ]);
    expect(await project.git('status', '--porcelain', '--', ...Object.keys(WITH_LINES))).toBe('');
    await project.dure(['config', 'set', 'workspace.setup', 'null']);
    await threeRuns(project);

    const tools: Program[] = ['vitest', 'jest', 'eslint', 'tsc', 'biome', 'prettier', 'mocha'];
    for (const tool of tools) expect(await seen(tool, project.root), tool).toContain('.dure/');

    for (const [file, text] of Object.entries(WITH_LINES)) await project.write(file, text);
    const second = await project.dureJson(['init']);
    expect((second.json['exclusions'] as Found).filter(one => one.is === 'needed')).toEqual([]);

    const still: Partial<Record<Program, string>> = {
      vitest: 'own.test.js',
      jest: 'own.spec.js',
      eslint: 'own.js',
      tsc: 'own.ts',
      biome: 'own.js',
      prettier: 'own.js',
      mocha: 'own is',
    };
    for (const tool of tools) {
      const says = await seen(tool, project.root);
      expect(says, tool).not.toContain('.dure/');
      expect(says, tool).toContain(still[tool]);
    }
  });
});

it('dure init prints the line for each tool, but does not add it to any file', async () => {
  const files = {
    'package.json': '{\n  "devDependencies": { "jest": "30" }\n}\n',
    'eslint.config.js': 'export default antfu();\n',
  };
  const project = await testProject(files);
  onTestFinished(() => project.remove());
  const { stdout, code } = await project.dure(['init', '--yes']);
  expect(code).toBe(0);
  expect(stdout).toContain('package.json:\n    "jest": { "modulePathIgnorePatterns"');
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    "add this to eslint.config.js: a separate config object: { ignores: ['.dure/'] }",
  );
  expect(await project.git('status', '--porcelain', '--', ...Object.keys(files))).toBe('');
});
