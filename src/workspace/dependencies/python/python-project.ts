/** Determines, from a Python project's files, whether it can be installed and what its tests need. */

import { type JsonObject, tableAt } from '../../../formats/schema/json-access.ts';
import { escapeRegExp } from '../../../formats/text/text-patterns.ts';
import type { Folder } from '../folder-reader.ts';
import { isRequirement, toolRequirements } from './pyproject-tool-requirements.ts';
import { type PythonTests, pythonTests, requires } from './python-test-runner.ts';

export interface PythonProject {
  /** False for a project that uses another runtime, even if it contains some Python tests. */
  readonly isPython: boolean;
  /** Whether the project is a distribution, which must be installed to be importable. */
  readonly installable: boolean;
  readonly manifests: readonly string[];
  /** Extras and dependency groups that tests need. */
  readonly extras: readonly string[];
  readonly groups: readonly string[];
  /** Relative paths of requirement files. */
  readonly requirements: readonly string[];
  /** Test requirements from other places, such as tox.ini and the tables of Poetry. */
  readonly others: readonly string[];
  /** Null when there are no tests. */
  readonly tests: PythonTests | null;
  /** The test runner, if the tests use it and no requirement installs it. */
  readonly runner: 'pytest' | null;
  /** Whether the requirements of the project or of its tests include the distribution `name`. */
  installs(name: string): boolean;
}

const MARKER = /^(pyproject\.toml|setup\.cfg|tox\.ini|pytest\.ini|conftest\.py)$/;
const OTHER_RUNTIME = /^(package\.json|go\.mod|Cargo\.toml)$/;
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
  const ofTools = toolRequirements(pyproject, FOR_TESTS);
  const isListed = listed || ofTools.length > 0;
  const others = [...new Set([...ofTools, ...(isListed || !installable ? [] : toxRequirements(tox, cfg))])];
  const texts = await Promise.all(requirements.map(file => folder.text(file)));
  const chosen = [
    ...texts,
    ...others,
    ...groups.flatMap(name => requirementsOfGroup(allGroups, name)),
    ...extras.map(name => JSON.stringify(byTable[name] ?? extrasText(cfg, script))),
    JSON.stringify(tableAt(pyproject, 'project')['dependencies'] ?? ''),
  ].join('\n');
  const installs = (name: string): boolean => requires(chosen, name);
  const tests = await pythonTests(folder);
  const isNamed = folder.names(MARKER).length > 0 || folder.names(OTHER_RUNTIME).length === 0;
  return {
    isPython: installable || requirements.length > 0 || (tests !== null && isNamed),
    installable,
    manifests: manifestsOf(folder, installable, requirements),
    extras,
    groups,
    requirements,
    others,
    tests,
    runner: tests?.by === 'pytest' && !installs('pytest') ? 'pytest' : null,
    installs,
  };
}

/** Returns the requirements of a group, including those of included groups. */
function requirementsOfGroup(groups: JsonObject, name: string, within: readonly string[] = []): string[] {
  const listed = Array.isArray(groups[name]) && !within.includes(name) ? groups[name] : [];
  return listed.flatMap((one: unknown) =>
    typeof one === 'string'
      ? [one]
      : requirementsOfGroup(groups, String(tableAt({ one }, 'one')['include-group']), [...within, name]),
  );
}

const isDistribution = (pyproject: JsonObject | null): boolean =>
  pyproject !== null &&
  ('project' in pyproject || 'build-system' in pyproject || 'poetry' in tableAt(pyproject, 'tool'));

const manifestsOf = (folder: Folder, installable: boolean, requirements: readonly string[]): string[] => [
  ...(installable ? ['pyproject.toml', 'setup.py', 'setup.cfg'].filter(name => folder.has(name)) : []),
  ...requirements,
];

/** Returns a section of an INI file, without its heading. */
const sectionOf = (text: string | null, name: string): string => {
  const heading = escapeRegExp(`[${name}]`);
  const section = new RegExp(`^${heading}[^\\n]*\\n([\\s\\S]*?)(?=^\\[|$(?![\\s\\S]))`, 'm');
  return section.exec(text ?? '')?.[1] ?? '';
};

const extraInCfg = (cfg: string | null, name: string): boolean =>
  new RegExp(`^${name}\\s*=`, 'm').test(sectionOf(cfg, 'options.extras_require'));
const extraInScript = (script: string | null, name: string): boolean =>
  /extras_require|extras\s*=/.test(script ?? '') && new RegExp(`(['"])${name}\\1\\s*:`).test(script ?? '');
const extrasText = (cfg: string | null, script: string | null): string =>
  `${sectionOf(cfg, 'options.extras_require')}\n${script ?? ''}`;

/** Finds requirement files. A distribution declares its own dependencies, so its requirements.txt is not used. */
async function requirementFiles(folder: Folder, installable: boolean): Promise<string[]> {
  const main = installable ? [] : folder.names(/^requirements\.txt$/);
  const forTests = folder.names(TEST_REQUIREMENTS);
  const inFolder = (await folder.below('requirements'))
    .names(/\.txt$/)
    .filter(name => FOR_TESTS.some(word => name === `${word}.txt`) || (!installable && name === 'base.txt'))
    .map(name => `requirements/${name}`);
  const byTests = await Promise.all(
    ['test', 'tests'].map(async name =>
      (await folder.below(name)).names(/^requirements\.txt$/).map(file => `${name}/${file}`),
    ),
  );
  // Prefer a compiled .txt file to its .in source.
  const all = [...main, ...forTests, ...inFolder, ...byTests.flat()];
  return all.filter(file => !file.endsWith('.in') || !all.includes(file.replace(/in$/, 'txt')));
}

/**
 * Returns the requirements in `deps` of tox's main environment and in `tests_require`, except those with conditions or
 * variables.
 */
function toxRequirements(tox: string | null, cfg: string | null): string[] {
  const deps = /^deps\s*=\s*((?:.*\n?)(?:[ \t]+.*\n?)*)/m.exec(sectionOf(tox, 'testenv'))?.[1] ?? '';
  const required =
    /^tests_require\s*=\s*((?:.*\n?)(?:[ \t]+.*\n?)*)/m.exec(sectionOf(cfg, 'options'))?.[1] ?? '';
  return `${deps}\n${required}`
    .split('\n')
    .map(line => line.replace(/\s#.*$/, '').trim())
    .filter(isRequirement);
}
