/**
 * Which files say how tests are run, and so what their result means. Pure. Settings of linters and formatters are told
 * apart: they say how checks are run, and nothing of tests. Tests themselves and what they import are not among them.
 */
import { parse } from 'smol-toml';

/** A file of which the tests read all, or the parts that are named. */
export interface CommandInput {
  readonly path: string;
  /** Keys of the file that changed, such as `scripts.test`; none for a file that is read whole. */
  readonly keys: string[];
}

/** A changed file; null where it is not there. */
export interface FileChange {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

const EXTENSION = String.raw`\.(?:[cm]?[jt]s|json[c5]?|ya?ml|toml)`;

/** By the name of the file, wherever it lies. */
const READ_BY_TESTS = [
  // Package managers, and what they hand to every script.
  String.raw`\.npmrc|\.yarnrc(?:\.yml)?|\.?pnpmfile\.[cm]?js|pnpm-workspace\.yaml|bunfig\.toml|lerna\.json|turbo\.jsonc?|nx\.json`,
  // Which version of a tool it is.
  String.raw`\.nvmrc|\.node-version|\.python-version|\.tool-versions|mise\.toml|rust-toolchain(?:\.toml)?`,
  // Runners of JavaScript, and what compiles for them.
  String.raw`(?:jest|vitest|vite|ava|babel|karma|playwright|cypress|wdio|tap|uvu|node|c8|nyc|webpack|rollup|rolldown|tsup)\.(?:config|conf|workspace|preset|shims)[^/]*`,
  `(?:jest|vitest|tests?|global)[._-]?(?:[Ss]etup|[Tt]eardown)(?:[._-]?[A-Za-z]+)?${EXTENSION}`,
  `[Ss]etup[._-]?(?:[Tt]ests?|[Jj]est|[Vv]itest|[Ee]nv)(?:[._-]?[A-Za-z]+)?${EXTENSION}`,
  `(?:tests?|specs?|__tests__)/(?:setup|teardown)${EXTENSION}`,
  String.raw`\.mocharc[^/]*|mocha\.opts|\.taprc|\.nycrc[^/]*|\.c8rc[^/]*|\.babelrc[^/]*|\.swcrc|[jt]sconfig[^/]*\.json|deno\.jsonc?`,
  // Python.
  String.raw`\.?pytest\.ini|conftest\.py|\.?tox\.ini|noxfile\.py|setup\.py|\.coveragerc|(?:site|user)customize\.py|[^/]*\.pth`,
  // Others, and tools that know commands by a name.
  String.raw`go\.work|build\.rs|(?:GNUm|M|m)akefile|[^/]*\.mk|\.?[Jj]ustfile|[Tt]askfile\.ya?ml|Rakefile|\.rspec|phpunit\.xml(?:\.dist)?`,
  String.raw`pom\.xml|(?:build|settings)\.gradle(?:\.kts)?|gradle\.properties`,
  // Read into the environment by many runners.
  String.raw`\.env(?:\.[^/]*)?`,
];
const READ_BY_CHECKS = [
  String.raw`\.eslintrc[^/]*|\.eslintignore|eslint\.config\.[^/]*|xo\.config\.[^/]*|\.oxlintrc\.json|tslint\.json|biome\.jsonc?`,
  String.raw`\.prettierrc[^/]*|\.prettierignore|prettier\.config\.[^/]*|\.stylelint(?:rc[^/]*|ignore)|stylelint\.config\.[^/]*|\.editorconfig`,
  String.raw`\.flake8|\.pylintrc|pylintrc|\.?mypy\.ini|\.?ruff\.toml|pyrightconfig\.json|\.isort\.cfg`,
  String.raw`\.golangci\.[^/]*|\.?clippy\.toml|\.?rustfmt\.toml|\.rubocop\.yml`,
];
const named = (patterns: readonly string[]) => new RegExp(`(?:^|/)(?:${patterns.join('|')})$`);
const TESTS = named([...READ_BY_TESTS, String.raw`\.cargo/config(?:\.toml)?`]);
const CHECKS = named(READ_BY_CHECKS);

export const isReadByTests = (path: string): boolean => TESTS.test(path);
/** By tests or by other checks. */
export const isReadByChecks = (path: string): boolean => TESTS.test(path) || CHECKS.test(path);

/** Top-level keys of package.json. */
export const PACKAGE_KEYS = {
  tests: [
    'scripts',
    'type',
    'imports',
    'config',
    'packageManager',
    'volta',
    'overrides',
    'resolutions',
    'pnpm',
    'workspaces',
  ].concat(['ava', 'babel', 'c8', 'jest', 'mocha', 'nyc', 'tap', 'vitest', 'wireit']),
  checks: ['eslintConfig', 'eslintIgnore', 'prettier', 'standard', 'stylelint', 'xo'],
};
/** Tables of `[tool]` in pyproject.toml. */
export const PYTHON_TOOLS = {
  tests: ['coverage', 'hatch', 'nox', 'pdm', 'pixi', 'poe', 'pytest', 'setuptools', 'taskipy', 'tox', 'uv'],
  checks: ['basedpyright', 'black', 'flake8', 'isort', 'mypy', 'pylint', 'pyright', 'ruff'],
};

/** Of the changed files those that tests read as configuration, in order. */
export const changedInputs = (changes: readonly FileChange[]): CommandInput[] =>
  changes.flatMap(change => {
    const keys = changedKeys(change);
    if (keys) return keys.length > 0 ? [{ path: change.path, keys }] : [];
    return isReadByTests(change.path) ? [{ path: change.path, keys: [] }] : [];
  });

/** True when the text of a changed file is asked for by `changedInputs`. */
export const isReadInPart = (path: string): boolean => readerOf(path) !== undefined;

type Table = Record<string, unknown>;
/** What of a file tests read: names of parts, and their content. */
type Parts = Record<string, unknown>;

/** Files of which only a part says how tests are run. */
const IN_PART: Readonly<Record<string, (text: string) => Parts>> = {
  'package.json': text => partsOfPackage(JSON.parse(text) as Table),
  'pyproject.toml': text => partsOfPyproject(parse(text) as Table),
  'setup.cfg': text => partsOfSetupCfg(text),
  'Cargo.toml': text => partsOfCargo(parse(text) as Table),
  'go.mod': text => partsOfGoMod(text),
};

const readerOf = (path: string) => IN_PART[path.slice(path.lastIndexOf('/') + 1)];

/** Undefined for a file that is not read in part; none of its keys when one side cannot be read. */
function changedKeys({ path, before, after }: FileChange): string[] | undefined {
  const reader = readerOf(path);
  if (!reader) return undefined;
  try {
    const [old, now] = [before, after].map(text => (text === null ? {} : reader(text)));
    const keys = new Set([...Object.keys(old!), ...Object.keys(now!)]);
    return [...keys]
      .filter(key => JSON.stringify(sorted(old![key])) !== JSON.stringify(sorted(now![key])))
      .sort();
  } catch {
    return ['all of it'];
  }
}

function partsOfPackage(json: Table): Parts {
  const { scripts, ...others } = pick(json, PACKAGE_KEYS.tests);
  return { ...others, ...below('scripts', scripts) };
}

function partsOfPyproject(toml: Table): Parts {
  const project = asTable(toml['project']);
  return {
    ...pick(toml, ['build-system']),
    ...below('project', pick(project, ['entry-points', 'scripts'])),
    ...below('tool', pick(asTable(toml['tool']), PYTHON_TOOLS.tests)),
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

/** All but what is required: that is what is tested with, as a lockfile says, not how. */
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

const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted)
    : value !== null && typeof value === 'object'
      ? Object.fromEntries(
          Object.entries(value)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([key, each]) => [key, sorted(each)]),
        )
      : value;
