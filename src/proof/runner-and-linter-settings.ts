/**
 * Recognizes files that configure how tests and other checks run, and finds the settings in them that changed. Tests
 * and the modules that they import do not count as such files. This module is pure.
 */
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'smol-toml';

/** A changed configuration file that tests read, as a whole or in part. */
export interface CommandInput {
  readonly path: string;
  /** Changed keys, such as `scripts.test`; empty for a file that is read as a whole. */
  readonly keys: string[];
}

/** A changed file: its text before and after the change, null where it does not exist. */
export interface FileChange {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

const EXTENSION = String.raw`\.(?:[cm]?[jt]s|json[c5]?|ya?ml|toml)`;

/** Settings that only test runners read. These and the patterns below match the file name in any folder. */
const ONLY_RUNNERS = [
  String.raw`(?:jest|vitest|ava|karma|playwright|cypress|wdio|tap|uvu|c8|nyc)\.(?:config|conf|setup|workspace|preset|shims)[^/]*`,
  `(?:jest|vitest|tests?|global)[._-]?(?:[Ss]etup|[Tt]eardown)(?:[._-]?[A-Za-z]+)?${EXTENSION}`,
  `[Ss]etup[._-]?(?:[Tt]ests?|[Jj]est|[Vv]itest|[Ee]nv)(?:[._-]?[A-Za-z]+)?${EXTENSION}`,
  `(?:tests?|specs?|__tests__)/(?:setup|teardown)${EXTENSION}`,
  String.raw`\.mocharc[^/]*|mocha\.opts|\.taprc|\.nycrc[^/]*|\.c8rc[^/]*`,
  String.raw`\.?pytest\.ini|conftest\.py|\.?tox\.ini|noxfile\.py|\.coveragerc`,
  String.raw`\.rspec|phpunit\.xml(?:\.dist)?`,
];
/** Settings that test runners and other tools read. */
const RUNNERS = [
  ...ONLY_RUNNERS,
  // Package managers, and the settings that they pass to every script.
  String.raw`\.npmrc|\.yarnrc(?:\.yml)?|\.?pnpmfile\.[cm]?js|pnpm-workspace\.yaml|bunfig\.toml|lerna\.json|turbo\.jsonc?|nx\.json`,
  // JavaScript compilers.
  String.raw`(?:vite|babel)\.(?:config|conf|setup|workspace|preset|shims)[^/]*`,
  String.raw`\.babelrc[^/]*|\.swcrc|[jt]sconfig[^/]*\.json|deno\.jsonc?`,
  // Other languages and task runners.
  String.raw`(?:GNUm|M|m)akefile|[^/]*\.mk|\.?[Jj]ustfile|[Tt]askfile\.ya?ml|Rakefile|\.cargo/config(?:\.toml)?`,
];
/** Toolchain and build settings. They belong to the sources; settings from another commit may not match them. */
const BUILDS = [
  String.raw`\.nvmrc|\.node-version|\.python-version|\.tool-versions|mise\.toml|rust-toolchain(?:\.toml)?`,
  String.raw`(?:node|webpack|rollup|rolldown|tsup)\.(?:config|conf)[^/]*`,
  String.raw`setup\.py|(?:site|user)customize\.py|[^/]*\.pth`,
  String.raw`go\.work|build\.rs|pom\.xml|(?:build|settings)\.gradle(?:\.kts)?|gradle\.properties`,
  // Many runners load these into the environment.
  String.raw`\.env(?:\.[^/]*)?`,
];
/** Linter, formatter and type checker settings. */
const LINTERS = [
  String.raw`\.eslintrc[^/]*|\.eslintignore|eslint\.config\.[^/]*|xo\.config\.[^/]*|\.oxlintrc\.json|tslint\.json|biome\.jsonc?`,
  String.raw`\.prettierrc[^/]*|\.prettierignore|prettier\.config\.[^/]*|\.stylelint(?:rc[^/]*|ignore)|stylelint\.config\.[^/]*|\.editorconfig`,
  String.raw`\.flake8|\.pylintrc|pylintrc|\.?mypy\.ini|\.?ruff\.toml|pyrightconfig\.json|\.isort\.cfg`,
  String.raw`\.golangci\.[^/]*|\.?clippy\.toml|\.?rustfmt\.toml|\.rubocop\.yml`,
];
const named = (patterns: readonly string[]) => new RegExp(`(?:^|/)(?:${patterns.join('|')})$`);
export const isReadByTests = (path: string): boolean => TESTS.test(path);
export const isOnlyForTests = (path: string): boolean => ONLY_TESTS.test(path);
const ONLY_TESTS = named(ONLY_RUNNERS);
const TESTS = named([...RUNNERS, ...BUILDS]);
const SETTINGS = named([...RUNNERS, ...LINTERS, String.raw`setup\.cfg`]);

/**
 * Whether the file holds settings for tests or other checks, and can be replaced with its version from another commit.
 */
export const isSetting = (path: string): boolean => SETTINGS.test(path);

/** Top-level keys of package.json. */
const PACKAGE_RUNNERS = ['scripts', 'ava', 'babel', 'c8', 'jest', 'mocha', 'nyc', 'tap', 'vitest', 'wireit'];
const PACKAGE_BUILDS = [
  ...['type', 'imports', 'config', 'packageManager', 'volta'],
  ...['overrides', 'resolutions', 'pnpm', 'workspaces'],
];
export const PACKAGE_SETTINGS = [
  ...PACKAGE_RUNNERS,
  ...['eslintConfig', 'eslintIgnore', 'prettier', 'standard', 'stylelint', 'xo'],
];
/** Tables of `[tool]` in pyproject.toml. */
const PYTHON_RUNNERS = ['coverage', 'hatch', 'nox', 'pdm', 'poe', 'pytest', 'taskipy', 'tox'];
const PYTHON_BUILDS = ['pixi', 'setuptools', 'uv'];
export const PYTHON_SETTINGS = [
  ...PYTHON_RUNNERS,
  ...['basedpyright', 'black', 'flake8', 'isort', 'mypy', 'pylint', 'pyright', 'ruff'],
];

/** The changed files that tests read as configuration, in order. */
export const commandInputsIn = (changes: readonly FileChange[]): CommandInput[] =>
  changes.flatMap(change => {
    const keys = changedKeys(change);
    if (keys) return keys.length > 0 ? [{ path: change.path, keys }] : [];
    return isReadByTests(change.path) ? [{ path: change.path, keys: [] }] : [];
  });

/** Whether `commandInputsIn` needs the content of the file. */
export const isReadInPart = (path: string): boolean => readerOf(path) !== undefined;

type Table = Record<string, unknown>;
/** The parts of a file that tests read, by key. */
type Parts = Record<string, unknown>;

/** Files in which only some parts configure tests. */
const IN_PART: Readonly<Record<string, (text: string) => Parts>> = {
  'package.json': text => partsOfPackage(JSON.parse(text) as Table),
  'pyproject.toml': text => partsOfPyproject(parse(text) as Table),
  'setup.cfg': text => partsOfSetupCfg(text),
  'Cargo.toml': text => partsOfCargo(parse(text) as Table),
  'go.mod': text => partsOfGoMod(text),
};

const readerOf = (path: string) => IN_PART[path.slice(path.lastIndexOf('/') + 1)];

/** Undefined for a file that is read as a whole; `entire file` if one side cannot be parsed. */
function changedKeys({ path, before, after }: FileChange): string[] | undefined {
  const reader = readerOf(path);
  if (!reader) return undefined;
  try {
    const [old, now] = [before, after].map(text => (text === null ? {} : reader(text)));
    const keys = new Set([...Object.keys(old!), ...Object.keys(now!)]);
    return [...keys].filter(key => !isDeepStrictEqual(old![key], now![key])).sort();
  } catch {
    return ['entire file'];
  }
}

function partsOfPackage(json: Table): Parts {
  const { scripts, ...others } = pick(json, [...PACKAGE_RUNNERS, ...PACKAGE_BUILDS]);
  return { ...others, ...below('scripts', scripts) };
}

function partsOfPyproject(toml: Table): Parts {
  const project = asTable(toml['project']);
  return {
    ...pick(toml, ['build-system']),
    ...below('project', pick(project, ['entry-points', 'scripts'])),
    ...below('tool', pick(asTable(toml['tool']), [...PYTHON_RUNNERS, ...PYTHON_BUILDS])),
  };
}

const CARGO_TABLES = [
  'bench',
  'bin',
  'example',
  'features',
  'lib',
  'patch',
  'profile',
  'replace',
  'test',
  'workspace',
];
const CARGO_PACKAGE = ['autobins', 'autobenches', 'autotests', 'build', 'edition'];

const partsOfCargo = (toml: Table): Parts => ({
  ...pick(toml, CARGO_TABLES),
  ...below('package', pick(asTable(toml['package']), CARGO_PACKAGE)),
});

const SETUP_SECTIONS =
  /^(?:tool:pytest|pytest|tox.*|testenv.*|aliases|coverage:.*|options(?:\.entry_points|\.packages\.find)?)$/;

function partsOfSetupCfg(text: string): Parts {
  const parts: Record<string, string> = {};
  for (const section of `\n${text}`.split(/\n(?=\[)/)) {
    const name = /^\[([^\]\n]+)\]/.exec(section)?.[1]?.trim();
    if (name && SETUP_SECTIONS.test(name)) parts[name] = `${parts[name] ?? ''}${section.trim()}`;
  }
  return parts;
}

/** The parts of go.mod except `require`, which, like a lockfile, selects dependencies and does not configure tests. */
const partsOfGoMod = (text: string): Parts => {
  const lines = text
    .replace(/^require\s*\([^)]*\)/gm, '')
    .split('\n')
    .map(line => line.replace(/\/\/.*$/, '').trim())
    .filter(line => line !== '' && !line.startsWith('require '));
  const parts: Record<string, string[]> = {};
  for (const line of lines) {
    const name = /^\w+/.exec(line)?.[0] ?? '';
    parts[name] = [...(parts[name] ?? []), line];
  }
  return parts;
};

const asTable = (value: unknown): Table =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Table) : {};
const pick = (table: Table, keys: readonly string[]): Table =>
  Object.fromEntries(keys.filter(key => key in table).map(key => [key, table[key]]));
const below = (name: string, value: unknown): Parts =>
  Object.fromEntries(Object.entries(asTable(value)).map(([key, each]) => [`${name}.${key}`, each]));
