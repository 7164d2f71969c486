/** The real tools at the root of a project with three runs, before and after `dure init` added its lines. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { runFiles } from '../../src/formats/layout.ts';
import { packageRoot } from '../../src/package-root.ts';
import { type TestProject, testProject } from '../helpers/project.ts';

/** Packages that Dure itself does not need are kept in an ignored folder, where the first test run puts them. */
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
}, 300_000);

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

/** All that a tool says when it is asked what it sees. */
const seen = async (tool: Program, cwd: string): Promise<string> =>
  (await ran(process.execPath, [programs[tool], ...SEES[tool]], cwd)).output;

const VITEST = "import { test } from 'vitest';\ntest('x', () => {});\n";
const JEST = "test('x', () => {});\n";

/** A project as people have them, whose tests are named apart so that each runner has its own. */
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

/** A project with three runs that were played from start to pack, and more beside what their agents wrote. */
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
    // What a run holds besides: its worktree is the whole project, and these are the Verifier's and the proof's.
    for (const folder of [files.tests, files.proof, files.mrpCode])
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

describe('the tools at the root of a project with three runs', () => {
  it('see no file under .dure after init has added what it found to be needed', {
    timeout: 400_000,
  }, async context => {
    if (unreachable) context.skip(unreachable);
    const project = await sample();
    const first = await project.dureJson(['init', '--yes', '--no-exclude', '--backend', 'rehearsal']);
    expect(first.json).toMatchObject({ ok: true, exclusions: { added: [] } });
    await threeRuns(project);

    const tools: Program[] = ['vitest', 'jest', 'eslint', 'tsc', 'biome', 'prettier', 'mocha'];
    for (const tool of tools) expect(await seen(tool, project.root), tool).toContain('.dure/');

    const { json } = await project.dureJson(['init', '--exclude']);
    const { findings, added } = json['exclusions'] as {
      findings: { tool: string; is: string }[];
      added: string[];
    };
    expect(findings.filter(one => one.is === 'offered').map(one => one.tool)).toEqual([
      'vitest',
      'jest',
      'mocha',
      'eslint',
      'biome',
      'prettier',
      'tsc',
    ]);
    expect(added.sort()).toEqual([
      '.mocharc.json',
      '.prettierignore',
      'biome.json',
      'eslint.config.js',
      'jest.config.js',
      'tsconfig.json',
      'vitest.config.ts',
    ]);
    expect(await readFile(join(project.root, 'tsconfig.json'), 'utf8')).toContain('// as strict as can be');

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
    expect((await project.dureJson(['init', '--exclude'])).json['exclusions']).toMatchObject({ added: [] });
  });

  it('see none either when init comes first, and in a worktree below .dure they still see its tests', {
    timeout: 200_000,
  }, async context => {
    if (unreachable) context.skip(unreachable);
    const project = await sample();
    await project.dure(['init', '--yes', '--backend', 'rehearsal']);
    await project.git('add', '-A');
    await project.git('commit', '-qm', 'Made ready');
    await threeRuns(project);
    for (const tool of ['vitest', 'jest', 'eslint', 'tsc'] as const)
      expect(await seen(tool, project.root), tool).not.toContain('.dure/');
    const [id] = await readdir(project.files.runs);
    const worktree = runFiles(project.files.run(id!)).worktree;
    for (const [tool, file] of [
      ['vitest', 'own.test.js'],
      ['jest', 'own.spec.js'],
      ['eslint', 'own.js'],
      ['tsc', 'own.ts'],
      ['biome', 'own.js'],
    ] as const)
      expect(await seen(tool, worktree), tool).toContain(file);
  });

  it('that leave folders with a dot alone by themselves are found, and nothing is added for them', {
    timeout: 200_000,
  }, async context => {
    if (unreachable) context.skip(unreachable);
    const project = await sample({
      '.gitignore': 'node_modules\n',
      'package.json': '{ "devDependencies": { "oxlint": "1" } }\n',
      'tsconfig.json': '{ "compilerOptions": { "noEmit": true, "types": [] } }\n',
      '.mocharc.json': '{ "spec": "**/*.mocha.cjs" }\n',
      'src/own.ts': FILES['src/own.ts']!,
      'src/own.js': FILES['src/own.js']!,
      'test/own.mocha.cjs': FILES['test/own.mocha.cjs']!,
    });
    const { json } = await project.dureJson(['init', '--yes', '--backend', 'rehearsal']);
    expect(json['exclusions']).toMatchObject({
      added: [],
      findings: [
        { tool: 'mocha', is: 'covered' },
        { tool: 'oxlint', is: 'covered' },
        { tool: 'tsc', is: 'covered' },
      ],
    });
    await threeRuns(project);
    for (const [tool, file] of [
      ['mocha', 'own is'],
      ['oxlint', 'own.js'],
      ['tsc', 'own.ts'],
    ] as const) {
      const says = await seen(tool, project.root);
      expect(says, tool).not.toContain('.dure/');
      expect(says, tool).toContain(file);
    }
  });
});

describe('dure init', () => {
  const two = {
    'package.json': '{\n  "devDependencies": { "jest": "30" }\n}\n',
    'eslint.config.js': 'export default antfu();\n',
  };

  it('without a word shows the lines as a diff, and writes nothing', async () => {
    const project = await testProject(two);
    onTestFinished(() => project.remove());
    const { stdout, code } = await project.dure(['init']);
    expect(code).toBe(0);
    expect(stdout).toContain(
      '--- a/package.json\n+++ b/package.json\n@@ -1,3 +1,4 @@\n {\n-  "devDependencies": { "jest": "30" }\n+  "devDependencies": { "jest": "30" },\n+  "jest": { "modulePathIgnorePatterns": ["<rootDir>/.dure/"] }\n }\n',
    );
    expect(stdout).toContain('Not added to package.json.\n  Later: dure init --exclude');
    expect(stdout).toContain(
      "Add to eslint.config.js yourself:\n    an entry of its own: { ignores: ['.dure/'] }",
    );
    expect(await project.git('status', '--porcelain', '--', 'package.json', 'eslint.config.js')).toBe('');
  });

  it('writes through a link to the file that is meant, and keeps who may run it', async () => {
    const project = await testProject({ 'shared/.prettierignore': 'dist\n', '.prettierrc': '{}\n' });
    onTestFinished(() => project.remove());
    await symlink('shared/.prettierignore', join(project.root, '.prettierignore'));
    await project.dure(['init', '--yes']);
    expect(await readFile(join(project.root, 'shared/.prettierignore'), 'utf8')).toBe('dist\n.dure/\n');
    await appendFile(join(project.root, 'shared/.prettierignore'), 'more\n');
    expect(await readFile(join(project.root, '.prettierignore'), 'utf8')).toBe('dist\n.dure/\nmore\n');
  });
});
