/**
 * The tools that may read files under `.dure/`, and the setting that makes each of them ignore the folder. Patterns
 * do not match inside a run's worktree, which is below `.dure/`, because the tools also run there. This module is
 * pure.
 */
import { scriptsOf } from '../../workspace/dependencies/node/node-project.ts';
import { dependsOn, firstPresent, packageOf, type RootFiles } from './look-up-in-root-files.ts';
import { matchesDureFolder, scriptsNameOtherPaths } from './script-reads-dure-folder.ts';

/** The tool's configuration needs no change. */
export interface Covered {
  readonly tool: string;
  readonly is: 'covered';
  readonly file: string;
  readonly why: string;
}

/** The user should add the text in `add` to the file, or create the file with this text. */
export interface Needed {
  readonly tool: string;
  readonly is: 'needed';
  readonly file: string;
  readonly add: string;
}

/** Null when the tool is not used here. */
type Tool = (files: RootFiles) => Covered | Needed | null;

const covered = (tool: string, file: string, why: string): Covered => ({ tool, is: 'covered', file, why });
const needed = (tool: string, file: string, add: string): Needed => ({ tool, is: 'needed', file, add });

/** A file that mentions `.dure` is assumed to exclude it; any other file needs `add`. */
const unlessNamed = (tool: string, file: string, text: string | undefined, add: string): Covered | Needed =>
  /\.dure\b/.test(text ?? '') ? covered(tool, file, 'it mentions .dure') : needed(tool, file, add);

/** Whether an ignore file excludes `.dure/`, or all dot folders. */
const ignores = (text: string | undefined): boolean =>
  (text ?? '')
    .split(/\r?\n/)
    .some(line => /^\/?\.dure(\/(\*\*?)?)?$/.test(line.trim()) || ['.*', '/.*'].includes(line.trim()));

const SCRIPTS = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'];

/**
 * Vitest collects tests in every folder except node_modules and .git. The pattern is relative to the folder in which
 * Vitest runs.
 */
const vitest: Tool = files => {
  const isDependency = dependsOn(files, 'vitest');
  const own = firstPresent(files, 'vitest.config', SCRIPTS);
  const shared = firstPresent(files, 'vite.config', SCRIPTS);
  const isUsed = shared && (isDependency || /\btest\s*:/.test(files.get(shared)!));
  const file = own ?? (isUsed ? shared : null);
  if (file)
    return unlessNamed(
      'vitest',
      file,
      files.get(file),
      "test.exclude: [...configDefaults.exclude, '.dure/**'] (configDefaults comes from 'vitest/config')",
    );
  if (!isDependency) return null;
  return needed(
    'vitest',
    packageOf(files)['type'] === 'module' ? 'vitest.config.js' : 'vitest.config.mjs',
    "import { configDefaults } from 'vitest/config'; export default { test: { exclude: [...configDefaults.exclude, '.dure/**'] } };",
  );
};

/**
 * Jest crawls every folder and reports name collisions between packages. It does not crawl folders that match
 * `modulePathIgnorePatterns`. `<rootDir>` keeps the pattern from matching inside a worktree.
 */
const jest: Tool = files => {
  const own = firstPresent(files, 'jest.config', ['js', 'ts', 'mjs', 'cjs', 'mts', 'cts', 'json']);
  const settings = packageOf(files)['jest'];
  const pattern = '<rootDir>/.dure/';
  if (own && !own.endsWith('.json'))
    return unlessNamed('jest', own, files.get(own), `modulePathIgnorePatterns: ['${pattern}']`);
  const list = `"modulePathIgnorePatterns": ["${pattern}"]`;
  if (own) return unlessNamed('jest', own, files.get(own), list);
  if (settings === undefined && !dependsOn(files, 'jest')) return null;
  return unlessNamed('jest', 'package.json', JSON.stringify(settings), `"jest": { ${list} }`);
};

/** Mocha's patterns skip dot folders; only `recursive` from the root includes them. */
const mocha: Tool = files => {
  const own = firstPresent(files, '.mocharc', ['json', 'jsonc', 'js', 'cjs', 'mjs', 'yaml', 'yml']);
  const settings = packageOf(files)['mocha'];
  const file = own ?? (settings === undefined ? null : 'package.json');
  if (!file) return null;
  const source = own ? files.get(own)! : JSON.stringify(settings);
  const walks = /\brecursive\b/.test(source) && /["'\s]\.\/?["'\s]/.test(source);
  return walks
    ? unlessNamed('mocha', file, source, '"ignore": [".dure/**"]')
    : covered('mocha', file, 'it skips dot folders');
};

/** Without file arguments, Node's test runner searches every folder, and it has no setting to exclude one. */
const nodeTest: Tool = files => {
  const bare = Object.entries(scriptsOf(packageOf(files))).find(([, line]) =>
    /\bnode\b[^&|;]*--test(\s+-\S+)*\s*($|[&|;])/.test(line),
  );
  if (!bare) return null;
  const add = `the folder of your tests to the script ${bare[0]}, as in: node --test "test/**/*.test.js"`;
  return needed('node --test', 'package.json', add);
};

const ESLINT = {
  program: 'eslint',
  valued:
    /^(?:-[cfo]|--(?:config|format|output-file|ext|max-warnings|rule|rulesdir|plugin|parser|parser-options|ignore-path|ignore-pattern|cache-file|cache-location|cache-strategy|env|global|flag|fix-type|stdin-filename|resolve-plugins-relative-to|report-unused-disable-directives-severity|suppressions-location|concurrency))$/,
};

/**
 * With a flat configuration, ESLint lints dot folders; a config object with only `ignores` applies globally.
 * With `.eslintrc` it skips them unless `.eslintignore` re-includes them.
 */
const eslint: Tool = files => {
  const flat = firstPresent(files, 'eslint.config', ['js', 'mjs', 'cjs', 'ts', 'mts', 'cts']);
  if (flat && scriptsNameOtherPaths(files, ESLINT))
    return covered('eslint', 'package.json', 'its scripts name other paths');
  if (flat)
    return unlessNamed('eslint', flat, files.get(flat), "a separate config object: { ignores: ['.dure/'] }");
  const legacy = [...files.keys()].find(name => /^\.eslintrc(\.(js|cjs|yaml|yml|json))?$/.test(name));
  if (!legacy && packageOf(files)['eslintConfig'] === undefined) return null;
  const listed = files.get('.eslintignore');
  const reIncludes = /^!.*\./m.test(listed ?? '');
  return reIncludes && !ignores(listed)
    ? needed('eslint', '.eslintignore', '.dure/')
    : covered('eslint', legacy ?? 'package.json', 'it skips dot folders');
};

/**
 * Biome scans every folder and fails on the nested configuration in a run's worktree. The pattern is anchored to the
 * root: with a leading star it would also hide all files from a Biome that runs inside the worktree.
 */
const biome: Tool = files => {
  const file =
    firstPresent(files, 'biome', ['json', 'jsonc']) ?? firstPresent(files, '.biome', ['json', 'jsonc']);
  if (!file) return null;
  const source = files.get(file)!;
  const isFirst = /schemas\/1\./.test(source) || /"ignore"\s*:/.test(source);
  const add = isFirst
    ? '"files": { "ignore": [".dure/**"] } (Biome 1)'
    : '"files": { "includes": ["**", "!.dure"] }';
  return unlessNamed('biome', file, source, add);
};

/** Oxlint respects nested `.gitignore` files, including the one in `.dure/`, which ignores the runs. */
const oxlint: Tool = files => {
  const file = firstPresent(files, '.oxlintrc', ['json', 'jsonc']);
  if (!file && !dependsOn(files, 'oxlint')) return null;
  return covered('oxlint', file ?? 'package.json', 'it reads .dure/.gitignore');
};

const PRETTIER = {
  program: 'prettier',
  valued:
    /^--(?:config|config-precedence|ignore-path|parser|plugin|log-?level|cache-location|cache-strategy|stdin-filepath|print-width|tab-width|trailing-comma|end-of-line)$/,
};
const PRETTIER_FILES = /^(\.prettierrc(\..+)?|prettier\.config\..+|\.prettierignore)$/;

/** Prettier also formats dot folders, and reads only the ignore files in the root. */
const prettier: Tool = files => {
  const config = [...files.keys()].some(name => PRETTIER_FILES.test(name));
  if (!config && packageOf(files)['prettier'] === undefined && !dependsOn(files, 'prettier')) return null;
  for (const file of ['.prettierignore', '.gitignore'])
    if (ignores(files.get(file))) return covered('prettier', file, 'it mentions .dure');
  if (scriptsNameOtherPaths(files, PRETTIER))
    return covered('prettier', 'package.json', 'its scripts name other paths');
  return needed('prettier', '.prettierignore', '.dure/');
};

/** TypeScript's wildcards skip dot folders; only an `include` that names such folders matches `.dure/`. */
const typescript: Tool = files => {
  const file = 'tsconfig.json';
  const source = files.get(file);
  if (source === undefined) return null;
  const include = /"include"\s*:\s*\[([^\]]*)\]/.exec(source)?.[1] ?? '';
  const reachesDure = [...include.matchAll(/"([^"]*)"/g)].some(([, pattern]) =>
    pattern!
      .replace(/^\.\//, '')
      .split('/')
      .some(segment => segment.startsWith('.') && matchesDureFolder(segment)),
  );
  return reachesDure
    ? unlessNamed('tsc', file, source, '"exclude": ["node_modules", ".dure"]')
    : covered('tsc', file, 'it skips dot folders');
};

export const TOOLS: readonly Tool[] = [
  vitest,
  jest,
  mocha,
  nodeTest,
  eslint,
  biome,
  oxlint,
  prettier,
  typescript,
];
