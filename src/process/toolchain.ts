/**
 * Where the person's programs are installed: the folders on PATH, the installations they belong to, and those that the
 * programs in them lead to. Asked for two reasons: a sandbox shows these and nothing else of a home, and a command whose
 * home is empty has to be told where version managers keep their things. What always holds: the home itself and the
 * folders in it that hold secrets are never among them.
 */
import { existsSync, readdirSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join, sep } from 'node:path';
import { follow, isWithin, type Link } from './paths.ts';

export type Env = Readonly<Record<string, string | undefined>>;

export interface Toolchain {
  /** Real paths, of folders and single programs. */
  readonly paths: readonly string[];
  /** Symbolic links on the way to them. */
  readonly links: readonly Link[];
}

/** What to leave out. */
export interface Surroundings {
  /** Real path. */
  readonly home: string;
  /** True for what is seen anyway. Takes a real path. */
  isSeen(path: string): boolean;
  /** Nothing in these counts as a toolchain. Real paths. */
  readonly hidden: readonly string[];
}

interface Manager {
  /** Says where it is; `usual` is where it is otherwise, below the home. */
  readonly variable: string;
  readonly usual: string;
  /** Folders in it that programs need. Default: all of it. */
  readonly needs?: readonly string[];
}

/** Programs of these on PATH are small ones that look for the real ones below this folder. */
const MANAGERS: readonly Manager[] = [
  { variable: 'ASDF_DATA_DIR', usual: '.asdf' },
  { variable: 'CARGO_HOME', usual: '.cargo', needs: ['bin'] },
  { variable: 'ELAN_HOME', usual: '.elan' },
  { variable: 'GOENV_ROOT', usual: '.goenv' },
  { variable: 'JENV_ROOT', usual: '.jenv' },
  { variable: 'MISE_DATA_DIR', usual: '.local/share/mise' },
  { variable: 'NODENV_ROOT', usual: '.nodenv' },
  { variable: 'OPAMROOT', usual: '.opam' },
  { variable: 'PYENV_ROOT', usual: '.pyenv' },
  { variable: 'RBENV_ROOT', usual: '.rbenv' },
  { variable: 'RUSTUP_HOME', usual: '.rustup' },
  { variable: 'SDKMAN_DIR', usual: '.sdkman', needs: ['candidates'] },
  { variable: 'VOLTA_HOME', usual: '.volta' },
  { variable: 'rvm_path', usual: '.rvm' },
];

/** A command writes into these, so an empty home has one of its own. */
const WRITTEN = ['CARGO_HOME'];

/** These name installations. */
const NAMED = [
  'ANDROID_HOME',
  'ANDROID_SDK_ROOT',
  'CUDA_HOME',
  'DOTNET_ROOT',
  'FLUTTER_ROOT',
  'GEM_HOME',
  'GEM_PATH',
  'GOROOT',
  'GRADLE_HOME',
  'JAVA_HOME',
  'KOTLIN_HOME',
  'MAVEN_HOME',
];

/** Below the home. */
const SECRET = [
  '.aws',
  '.azure',
  '.claude',
  '.codex',
  '.config',
  '.docker',
  '.gem/credentials',
  '.gemini',
  '.git-credentials',
  '.gnupg',
  '.kube',
  '.local/share/keyrings',
  '.mozilla',
  '.netrc',
  '.npmrc',
  '.password-store',
  '.pypirc',
  '.ssh',
];

/** Environment variables that a command keeps, so that it finds the person's tools from an empty home. */
export function toolchainVariables(env: Env): Record<string, string> {
  const kept = Object.fromEntries(NAMED.flatMap(name => (env[name] ? [[name, env[name]]] : [])));
  for (const manager of MANAGERS) {
    const root = rootOf(manager, env, env['HOME'] ?? '');
    if (root && !WRITTEN.includes(manager.variable) && existsSync(root)) kept[manager.variable] = root;
  }
  return kept;
}

export function toolchainOf(env: Env, around: Surroundings): Toolchain {
  const paths: string[] = [];
  const links: Link[] = [];
  const managers = MANAGERS.flatMap(manager => {
    const root = follow(rootOf(manager, env, around.home));
    return root ? [{ ...manager, root: root.real }] : [];
  });
  const isSeen = (path: string) => around.isSeen(path) || paths.some(folder => isWithin(folder, path));
  const see = (path: string): boolean => {
    const found = follow(path);
    if (!found || isPrivate(found.real, around)) return false;
    links.push(...found.links);
    if (!isSeen(found.real)) paths.push(found.real);
    return true;
  };
  /** Sees the installation that a program in this folder belongs to; false when it is not one. */
  const seeInstallation = (folder: string): boolean =>
    installationOf(folder, managers, around.home).filter(see).length > 0;

  const [pathFolders, named] = [listed(env['PATH']), NAMED.flatMap(name => listed(env[name]))];
  const rustup = managers.filter(({ variable }) => variable === 'RUSTUP_HOME').map(({ root }) => root);
  for (const folder of [...named, ...rustup, join(around.home, '.tool-versions')]) see(folder);

  const queue = [
    ...pathFolders,
    ...managers.flatMap(({ root }) => ['versions', 'toolchains'].map(of => join(root, of))),
  ];
  const done = new Set<string>();
  for (let folder = queue.shift(); folder !== undefined; folder = queue.shift()) {
    const found = follow(folder);
    if (!found || done.has(found.real)) continue;
    done.add(found.real);
    if (pathFolders.includes(folder)) {
      if (!isSeen(found.real)) seeInstallation(found.real);
      if (!see(folder)) continue;
    }
    if (!isSeen(found.real)) continue;
    for (const program of linksIn(found.real)) {
      const leads = follow(program);
      if (!leads || isSeen(leads.real)) continue;
      if (seeInstallation(dirname(leads.real))) queue.push(dirname(leads.real));
      see(program);
    }
  }
  return { paths, links };
}

const rootOf = ({ variable, usual }: Manager, env: Env, home: string): string =>
  env[variable] || (home && join(home, usual));

/** Windows' own programs, which WSL puts on PATH, are none that a sandbox could run. */
const listed = (value: string | undefined): string[] => [
  ...new Set(
    (value ?? '').split(delimiter).filter(path => isAbsolute(path) && !/^\/mnt\/[a-z]\//.test(path)),
  ),
];

function installationOf(
  folder: string,
  managers: readonly (Manager & { readonly root: string })[],
  home: string,
): string[] {
  const manager = managers.find(({ root }) => isWithin(root, folder));
  if (manager) return manager.needs?.map(name => join(manager.root, name)) ?? [manager.root];
  const packages = `${sep}node_modules${sep}`;
  const at = `${folder}${sep}`.indexOf(packages);
  if (at >= 0) return [folder.slice(0, at + packages.length - 1)];
  if (['bin', 'sbin', 'libexec'].includes(basename(folder))) {
    const prefix = dirname(folder);
    if (isWithin(prefix, home)) return [];
    // Much else lies in these, not all of it for everybody's eyes.
    if (dirname(prefix) === sep || prefix === join(home, '.local'))
      return LIBRARIES.map(name => join(prefix, name));
    if (isInstallation(prefix)) return [prefix];
  }
  return isInstallation(folder) ? [folder] : [];
}

const LIBRARIES = ['bin', 'sbin', 'lib', 'lib64', 'libexec'];
const SIGNS = [...LIBRARIES.slice(2), 'share', 'include', 'conda-meta', 'pyvenv.cfg', 'jmods', 'VERSION'];
const isInstallation = (folder: string): boolean => SIGNS.some(name => existsSync(join(folder, name)));

/** True for what holds secrets, in itself or below. */
const isPrivate = (path: string, { home, hidden }: Surroundings): boolean =>
  isWithin(path, home) ||
  hidden.some(folder => isWithin(folder, path)) ||
  SECRET.map(name => join(home, name)).some(secret => isWithin(secret, path) || isWithin(path, secret));

function linksIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter(entry => entry.isSymbolicLink())
      .map(entry => join(folder, entry.name));
  } catch {
    return [];
  }
}
