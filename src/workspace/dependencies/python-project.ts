/** What the files of a Python project say: whether it can be installed, and what its tests need. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Folder, openFolder, type Table, tableAt } from './folder.ts';

export interface PythonProject {
  /** The project itself is a distribution: its own package is to be importable. */
  readonly installable: boolean;
  readonly manifests: readonly string[];
  /** Extras and dependency groups that tests need. */
  readonly extras: readonly string[];
  readonly groups: readonly string[];
  /** Requirement files, relative. */
  readonly requirements: readonly string[];
  /** Requirements of tests that stand elsewhere, as in tox.ini. */
  readonly others: readonly string[];
  /** The test runner when the tests use it and nothing else would install it. */
  readonly runner: 'pytest' | null;
}

const FOR_TESTS = ['test', 'tests', 'testing', 'dev', 'develop', 'development'];
const WORDS = '(?:test|tests|testing|dev|develop|development)';
const TEST_REQUIREMENTS = new RegExp(
  `^(?:requirements[-_.]${WORDS}|${WORDS}[-_.]requirements)\\.(?:txt|in)$`,
);

export async function pythonProject(folder: Folder): Promise<PythonProject> {
  const [pyproject, cfg, script, tox] = await Promise.all([
    folder.toml('pyproject.toml'),
    folder.text('setup.cfg'),
    folder.text('setup.py'),
    folder.text('tox.ini'),
  ]);
  const installable = script !== null || /^\[metadata\]/m.test(cfg ?? '') || isDistribution(pyproject);
  const byTable = tableAt(pyproject, 'project', 'optional-dependencies');
  const extras = FOR_TESTS.filter(
    name => name in byTable || (installable && (extraInCfg(cfg, name) || extraInScript(script, name))),
  );
  const allGroups = tableAt(pyproject, 'dependency-groups');
  const groups = FOR_TESTS.filter(name => name in allGroups);
  const requirements = await requirementFiles(folder, installable);
  const listed = extras.length + groups.length > 0 || requirements.some(file => /test|dev/.test(file));
  const others = listed || !installable ? [] : toxRequirements(tox, cfg);
  const texts = await Promise.all(requirements.map(file => folder.text(file)));
  const chosen = [
    ...texts,
    ...others,
    ...groups.map(name => JSON.stringify(allGroups[name])),
    ...extras.map(name => JSON.stringify(byTable[name] ?? extrasText(cfg, script))),
    JSON.stringify(tableAt(pyproject, 'project')['dependencies'] ?? ''),
  ].join('\n');
  const isTested = await usesPytest(folder, pyproject, cfg, tox);
  return {
    installable,
    manifests: manifestsOf(folder, installable, requirements),
    extras,
    groups,
    requirements,
    others,
    runner: isTested && !/\bpytest\b/.test(chosen) ? 'pytest' : null,
  };
}

const isDistribution = (pyproject: Table | null): boolean =>
  pyproject !== null &&
  ('project' in pyproject || 'build-system' in pyproject || 'poetry' in tableAt(pyproject, 'tool'));

const manifestsOf = (folder: Folder, installable: boolean, requirements: readonly string[]): string[] => [
  ...(installable ? ['pyproject.toml', 'setup.py', 'setup.cfg'].filter(name => folder.has(name)) : []),
  ...requirements,
];

/** A section of an INI file, without its heading. */
const sectionOf = (text: string | null, name: string): string => {
  const escaped = name.replace(/[.[\]:]/g, '\\$&');
  return (
    new RegExp(`^\\[${escaped}\\][^\\n]*\\n([\\s\\S]*?)(?=^\\[|$(?![\\s\\S]))`, 'm').exec(text ?? '')?.[1] ??
    ''
  );
};

const extraInCfg = (cfg: string | null, name: string): boolean =>
  new RegExp(`^${name}\\s*=`, 'm').test(sectionOf(cfg, 'options.extras_require'));
const extraInScript = (script: string | null, name: string): boolean =>
  /extras_require|extras\s*=/.test(script ?? '') && new RegExp(`(['"])${name}\\1\\s*:`).test(script ?? '');
const extrasText = (cfg: string | null, script: string | null): string =>
  `${sectionOf(cfg, 'options.extras_require')}\n${script ?? ''}`;

/** A distribution names what it needs itself; its requirement files then are about tests. */
async function requirementFiles(folder: Folder, installable: boolean): Promise<string[]> {
  const main = installable ? [] : folder.names(/^requirements\.txt$/);
  const forTests = folder.names(TEST_REQUIREMENTS);
  const names = await readdir(join(folder.path, 'requirements')).catch(() => [] as string[]);
  const inFolder = names
    .filter(name => FOR_TESTS.some(word => name === `${word}.txt`) || (!installable && name === 'base.txt'))
    .sort()
    .map(name => `requirements/${name}`);
  // Of a source and what was compiled from it, the latter.
  const all = [...main, ...forTests, ...inFolder];
  return all.filter(file => !file.endsWith('.in') || !all.includes(file.replace(/in$/, 'txt')));
}

/** Lines of `deps` in the main environment of tox, and of `tests_require`. Those with conditions or variables are left out. */
function toxRequirements(tox: string | null, cfg: string | null): string[] {
  const deps = /^deps\s*=\s*((?:.*\n?)(?:[ \t]+.*\n?)*)/m.exec(sectionOf(tox, 'testenv'))?.[1] ?? '';
  const required =
    /^tests_require\s*=\s*((?:.*\n?)(?:[ \t]+.*\n?)*)/m.exec(sectionOf(cfg, 'options'))?.[1] ?? '';
  return `${deps}\n${required}`
    .split('\n')
    .map(line => line.replace(/\s#.*$/, '').trim())
    .filter(line => /^[A-Za-z][\w.-]*(\[[\w,-]+\])?\s*([<>=!~]=?\s*[\w.*]+\s*,?\s*)*$/.test(line));
}

async function usesPytest(
  folder: Folder,
  pyproject: Table | null,
  cfg: string | null,
  tox: string | null,
): Promise<boolean> {
  if (folder.has('pytest.ini') || folder.has('conftest.py') || /^\[tool:pytest\]/m.test(cfg ?? ''))
    return true;
  if ('pytest' in tableAt(pyproject, 'tool') || /^\[pytest\]|\bpytest\b/m.test(tox ?? '')) return true;
  for (const name of ['tests', 'test']) if (await importsPytest(join(folder.path, name))) return true;
  return false;
}

async function importsPytest(dir: string): Promise<boolean> {
  const tests = await openFolder(dir);
  if (tests.has('conftest.py')) return true;
  const texts = await Promise.all(
    tests
      .names(/^test_.*\.py$|_test\.py$/)
      .slice(0, 50)
      .map(name => tests.text(name)),
  );
  return texts.some(text => /^\s*(import|from) pytest\b|^def test_/m.test(text ?? ''));
}
