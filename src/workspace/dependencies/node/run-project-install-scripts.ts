/**
 * Runs the install scripts of the project's own manifests in the order that npm and Yarn use: workspace packages
 * before the root. They run in each tree, because they read and write its files.
 */
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { unlessDiskFails } from '../../../formats/file-system/temporary-disk-errors.ts';
import { braceAlternatives, globPattern } from '../../../formats/text/text-patterns.ts';
import type { InstallSession } from '../sandboxed-install-session.ts';
import { scriptsOf, workspacePatterns } from './node-project.ts';
import { dependenciesOf, type Manifest, manifestsBelow } from './package-json-files.ts';

/** Scripts that are called for the root of the project when its packages are installed. */
const OF_ROOT = [
  'preinstall',
  'install',
  'postinstall',
  'prepublish',
  'preprepare',
  'prepare',
  'postprepare',
];
const OF_PACKAGES = ['preinstall', 'install', 'postinstall', 'prepare'];

/** A script that an installation runs with `npm run`. */
export interface LifecycleScript {
  readonly name: string;
  /** The manifest, relative to the folder of the installation. */
  readonly manifest: string;
  /** The folder in which it runs. */
  readonly cwd: string;
  /** The commands that it runs, including those of the scripts that npm runs before and after it. */
  readonly text: string;
}

/** Returns null on success, otherwise the problem. */
export async function runLifecycleScripts(
  session: InstallSession,
  folder: string,
  words: readonly string[],
): Promise<string | null> {
  for (const { name, manifest, cwd } of await lifecycleScripts(folder, words)) {
    session.log(`$ npm run ${name} (${manifest})`);
    const problem = await session.run(`npm run ${name}`, cwd);
    if (problem !== null) return `${manifest}: npm run ${name}: ${problem}`;
  }
  return null;
}

/** Returns the scripts that an installation calls, in order. `words` are the words of the installation command. */
export async function lifecycleScripts(folder: string, words: readonly string[]): Promise<LifecycleScript[]> {
  if (words.includes('--ignore-scripts') || (await areScriptsOff(folder))) return [];
  const manifests = await manifestsBelow(folder);
  const root = manifests.find(({ path }) => path === 'package.json');
  const packages = root ? manifests.filter(one => one !== root && isWorkspace(root, one)) : [];
  const owners = [
    ...inOrder(packages).map(one => [one, OF_PACKAGES] as const),
    ...(root ? [[root, OF_ROOT] as const] : []),
  ];
  return owners.flatMap(([{ path, json }, names]) => {
    const scripts = scriptsOf(json);
    return calledOf(names, scripts).map(name => ({
      name,
      manifest: path,
      cwd: join(folder, dirname(path)),
      text: [`pre${name}`, name, `post${name}`].flatMap(each => scripts[each] ?? []).join('\n'),
    }));
  });
}

/** Leaves out scripts that npm runs with another one: `npm run install` also runs `preinstall` and `postinstall`. */
const calledOf = (names: readonly string[], scripts: Readonly<Record<string, string>>): string[] =>
  names.filter(name => {
    const main = name.replace(/^(pre|post)(?=install$|prepare$)/, '');
    return scripts[name] !== undefined && (main === name || scripts[main] === undefined);
  });

const areScriptsOff = async (folder: string): Promise<boolean> =>
  /^\s*ignore-scripts\s*=\s*true/m.test(
    await readFile(join(folder, '.npmrc'), 'utf8').catch(unlessDiskFails('')),
  );

const isWorkspace = (root: Manifest, { path }: Manifest): boolean => {
  const patterns = workspacePatterns(root.json);
  const matches = (pattern: string) => isMatch(pattern, dirname(path));
  return (
    patterns.some(pattern => !pattern.startsWith('!') && matches(pattern)) &&
    !patterns.some(pattern => pattern.startsWith('!') && matches(pattern.slice(1)))
  );
};

/** Whether a folder matches a pattern such as `packages/*`, `packages/**` or `{apps,libs}/*`. */
const isMatch = (pattern: string, folder: string): boolean =>
  braceAlternatives(pattern.replace(/^\.\//, '').replace(/\/+$/, '')).some(glob =>
    globPattern(glob, '/').test(folder),
  );

/** Sorts packages after their dependencies. */
function inOrder(packages: readonly Manifest[]): Manifest[] {
  const byName = new Map(packages.map(one => [String(one.json['name'] ?? ''), one]));
  const ordered = new Set<Manifest>();
  const visit = (one: Manifest, path: readonly Manifest[]): void => {
    if (ordered.has(one) || path.includes(one)) return;
    for (const name of dependenciesOf(one.json)) {
      const needed = byName.get(name);
      if (needed) visit(needed, [...path, one]);
    }
    ordered.add(one);
  };
  for (const one of packages) visit(one, []);
  return [...ordered];
}
