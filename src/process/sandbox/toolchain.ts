/**
 * Finds where the user's programs are installed: the folders on PATH, the installations they belong to, and those
 * that their programs link to. Used to mount them in a sandbox, where nothing else in the home folder is visible, and
 * to set the variables that version managers need when HOME is empty. Invariant: the home folder itself and folders
 * that contain secrets are never included.
 */
import { existsSync, readdirSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join, sep } from 'node:path';
import { isWithin } from '../../formats/file-system/path-containment.ts';
import { resolveLinks, type SymbolicLink } from '../../formats/file-system/resolve-links.ts';

export type Env = Readonly<Record<string, string | undefined>>;

export interface Toolchain {
  /** Real paths of folders and single programs. */
  readonly paths: readonly string[];
  /** Symbolic links that lead to `paths`. */
  readonly links: readonly SymbolicLink[];
}

/** What to leave out of the toolchain: the home folder, hidden folders, and paths that the sandbox already shows. */
export interface ToolchainInput {
  /** Real path. */
  readonly home: string;
  /** Whether the sandbox already shows this real path. */
  isSeen(path: string): boolean;
  /** Real paths; nothing in them counts as a toolchain. */
  readonly hidden: readonly string[];
}

interface Manager {
  /** The variable that holds the manager's location; `usual` is the default location below the home folder. */
  readonly variable: string;
  readonly usual: string;
  /** Folders in the manager's location that programs need. Default: the whole location. */
  readonly needs?: readonly string[];
}

/** These managers put shims on PATH. A shim looks for the real program below the manager's location. */
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

/** Commands write to these folders, so each command gets its own in its empty home. */
const WRITTEN = ['CARGO_HOME'];

/** Variables whose value is the folder of an installation. */
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

/** Paths below the home folder that contain secrets. */
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

/** Returns the environment variables that a command needs to find the user's tools when its home is empty. */
export function toolchainVariables(env: Env): Record<string, string> {
  const kept = Object.fromEntries(NAMED.flatMap(name => (env[name] ? [[name, env[name]]] : [])));
  for (const manager of MANAGERS) {
    const root = rootOf(manager, env, env['HOME'] ?? '');
    if (root && !WRITTEN.includes(manager.variable) && existsSync(root)) kept[manager.variable] = root;
  }
  return kept;
}

export function toolchainOf(env: Env, input: ToolchainInput): Toolchain {
  const paths: string[] = [];
  const links: SymbolicLink[] = [];
  const managers = MANAGERS.flatMap(manager => {
    const root = resolveLinks(rootOf(manager, env, input.home));
    return root ? [{ ...manager, root: root.real }] : [];
  });
  const isSeen = (path: string) => input.isSeen(path) || paths.some(folder => isWithin(folder, path));
  const see = (path: string): boolean => {
    const found = resolveLinks(path);
    if (!found || isPrivate(found.real, input)) return false;
    links.push(...found.links);
    if (!isSeen(found.real)) paths.push(found.real);
    return true;
  };
  /** Adds the installation that contains this program folder; false if there is none. */
  const seeInstallation = (folder: string): boolean =>
    installationOf(folder, managers, input.home).filter(see).length > 0;

  const [pathFolders, named] = [listed(env['PATH']), NAMED.flatMap(name => listed(env[name]))];
  const rustup = managers.filter(({ variable }) => variable === 'RUSTUP_HOME').map(({ root }) => root);
  for (const folder of [...named, ...rustup, join(input.home, '.tool-versions')]) see(folder);

  const queue = [
    ...pathFolders,
    ...managers.flatMap(({ root }) => ['versions', 'toolchains'].map(of => join(root, of))),
  ];
  const done = new Set<string>();
  for (let folder = queue.shift(); folder !== undefined; folder = queue.shift()) {
    const found = resolveLinks(folder);
    if (!found || done.has(found.real)) continue;
    done.add(found.real);
    if (pathFolders.includes(folder)) {
      if (!isSeen(found.real)) seeInstallation(found.real);
      if (!see(folder)) continue;
    }
    if (!isSeen(found.real)) continue;
    for (const program of linksIn(found.real)) {
      const leads = resolveLinks(program);
      if (!leads || isSeen(leads.real)) continue;
      if (seeInstallation(dirname(leads.real))) queue.push(dirname(leads.real));
      see(program);
    }
  }
  return { paths, links };
}

const rootOf = ({ variable, usual }: Manager, env: Env, home: string): string =>
  env[variable] || (home && join(home, usual));

/** The absolute paths in a list such as PATH, except those to Windows programs on WSL, which a sandbox cannot run. */
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
    // Folders such as /usr and ~/.local contain many other files, some of them private.
    if (dirname(prefix) === sep || prefix === join(home, '.local'))
      return LIBRARIES.map(name => join(prefix, name));
    if (isInstallation(prefix)) return [prefix];
  }
  return isInstallation(folder) ? [folder] : [];
}

const LIBRARIES = ['bin', 'sbin', 'lib', 'lib64', 'libexec'];
const SIGNS = [...LIBRARIES.slice(2), 'share', 'include', 'conda-meta', 'pyvenv.cfg', 'jmods', 'VERSION'];
const isInstallation = (folder: string): boolean => SIGNS.some(name => existsSync(join(folder, name)));

/** Whether the path contains the home folder or secrets, or is in a secret or hidden folder. */
const isPrivate = (path: string, { home, hidden }: ToolchainInput): boolean =>
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
