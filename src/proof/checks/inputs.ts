/**
 * Which of the files that differ from base a check reads: tests, settings of runners and linters, scripts. Pure. What the
 * Builder changed there may have changed what the check says, and the result is looked at once more with those of base.
 */
import { parse, stringify } from 'smol-toml';

export interface Change {
  readonly path: string;
  readonly how: 'added' | 'changed' | 'removed';
}

const CODE = /\.(?:[cm]?[jt]sx?|py|go|rs|rb|php|java|kt|vue|svelte)$/;
const TEST_FOLDER =
  /(?:^|\/)(?:tests?|specs?|__tests__|__mocks__|__snapshots__|__fixtures__|fixtures|testdata)\//;
const TEST_FILE =
  /(?:^|\/)(?:tests?\.[cm]?[jt]sx?|test_[^/]*\.py|[^/]*[._-](?:test|spec|tests|test-d)\.[cm]?[jt]sx?|[^/]*_test\.(?:go|py|rs|exs)|[^/]*\.snap)$/;
const SETTINGS =
  /(?:^|\/)(?:\.npmrc|\.yarnrc(?:\.yml)?|pnpm-workspace\.yaml|\.mocharc[^/]*|\.taprc|\.nycrc[^/]*|\.c8rc[^/]*|\.babelrc[^/]*|\.swcrc|\.eslintrc[^/]*|\.eslintignore|\.oxlintrc\.json|\.prettierrc[^/]*|\.prettierignore|biome\.jsonc?|tslint\.json|[jt]sconfig[^/]*\.json|(?:jest|vitest|vite|ava|babel|eslint|prettier|karma|playwright|cypress|xo|tap)\.(?:config|conf|setup|workspace)[^/]*|(?:turbo|nx|lerna)\.json|bunfig\.toml|pytest\.ini|conftest\.py|tox\.ini|noxfile\.py|setup\.cfg|\.flake8|\.pylintrc|\.?mypy\.ini|\.?ruff\.toml|\.golangci\.[^/]*|\.cargo\/config\.toml|clippy\.toml|rustfmt\.toml|(?:GNUm|M|m)akefile|[Jj]ustfile)$/;

const isTest = (path: string): boolean => TEST_FOLDER.test(path) || TEST_FILE.test(path);
/** Files of which only a part says how checks are run. */
export const isManifest = (path: string): boolean => /(?:^|\/)(?:package\.json|pyproject\.toml)$/.test(path);

/** Changes that can be taken back. `named` are files that the checks name by their commands or reports. */
export function inputsIn(changes: readonly Change[], named: ReadonlySet<string>): Change[] {
  return changes.filter(
    ({ path, how }) =>
      SETTINGS.test(path) || (how !== 'added' && !isManifest(path) && (isTest(path) || named.has(path))),
  );
}

/** Changes that may have taken tests away, although none of those above. `textOnBase` gives a file as it was. */
export const mayHoldTests = ({ path, how }: Change, textOnBase: string): boolean =>
  CODE.test(path) &&
  (how === 'removed' ||
    (how === 'changed' && path.endsWith('.rs') && /#\[(?:\w+::)?test\]/.test(textOnBase)));

/** Of package.json. */
const SECTIONS = [
  'scripts',
  'jest',
  'mocha',
  'ava',
  'tap',
  'vitest',
  'nyc',
  'c8',
  'xo',
  'standard',
  'babel',
].concat(['eslintConfig', 'eslintIgnore', 'prettier', 'stylelint']);
/** Of `[tool]` in pyproject.toml. */
const TOOLS = [
  'pytest',
  'coverage',
  'ruff',
  'mypy',
  'flake8',
  'pyright',
  'tox',
  'nox',
  'hatch',
  'poe',
  'pdm',
];

type Table = Record<string, unknown>;

/** The manifest of the result with the settings of base; null when they are the same, or when it cannot be read. */
export function withSettingsOfBase(path: string, base: string, result: string): string | null {
  try {
    if (path.endsWith('.json')) {
      const [before, after] = [JSON.parse(base) as Table, JSON.parse(result) as Table];
      const merged = replaced(before, after, SECTIONS);
      return same(merged, after) ? null : `${JSON.stringify(merged, null, 2)}\n`;
    }
    const [before, after] = [parse(base) as Table, parse(result) as Table];
    const tool = replaced((before['tool'] ?? {}) as Table, (after['tool'] ?? {}) as Table, TOOLS);
    return same(tool, after['tool'] ?? {}) ? null : stringify({ ...after, tool });
  } catch {
    return null;
  }
}

function replaced(before: Table, after: Table, keys: readonly string[]): Table {
  const rest = Object.entries(after).filter(([key]) => !keys.includes(key));
  return Object.fromEntries([...rest, ...keys.filter(key => key in before).map(key => [key, before[key]])]);
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
const sorted = (value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(
        Object.entries(value)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, each]) => [key, sorted(each)]),
      )
    : value;
