/**
 * Defines what a confined command can see: the system and the user's toolchain (read-only), its own writable folders
 * (home, temporary files) and the paths it was given, and nothing else.
 */
import { accessSync, constants, lstatSync } from 'node:fs';
import { delimiter, isAbsolute } from 'node:path';
import { isWithin } from '../../formats/file-system/path-containment.ts';
import { resolveLinks, type SymbolicLink } from '../../formats/file-system/resolve-links.ts';
import { isOfHost, type Mount, type View } from './bubblewrap-arguments.ts';
import type { HomeLinks, TemporaryHome } from './temporary-home.ts';
import { type Env, toolchainOf, toolchainVariables } from './toolchain.ts';

/** Permissions of one command, in addition to those that every command has. */
export interface Confinement {
  readonly writable: readonly string[];
  readonly readable: readonly string[];
  /** Paths to hide even inside a visible folder. Paths in them stay visible if `readable` or `writable` lists them. */
  readonly hidden?: readonly string[];
  /** Folders that appear empty and read-only. Paths inside them stay visible if another list contains them. */
  readonly blank?: readonly string[];
  /** Folders and files of the host that are mounted, writable, at another path. */
  readonly folders?: readonly { readonly at: string; readonly from: string }[];
  /** `readable` must contain the folders whose files are linked. */
  readonly homeLinks?: readonly HomeLinks[];
  /** Whether the command can use the network; if not, it has only a loopback interface. */
  readonly network: boolean;
}

const SYSTEM = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/etc',
  '/opt',
  '/nix/store',
  '/gnu/store',
  '/run/current-system',
  '/var/lib/gems',
  // Number of processors and amount of memory.
  '/sys/devices/system',
  '/sys/fs/cgroup',
];

/** Kernel settings. Root could change them from inside any namespace, even without capabilities. */
const KERNEL_SETTINGS = ['acpi', 'bus', 'fs', 'irq', 'mtrr', 'scsi', 'sys', 'sysrq-trigger'].map(
  name => `/proc/${name}`,
);

/** Files to hide. Only root can read them, but if root runs Dure, a confined command also runs as root. */
const SYSTEM_SECRETS = [
  '/etc/NetworkManager',
  '/etc/gshadow',
  '/etc/gshadow-',
  '/etc/krb5.keytab',
  '/etc/shadow',
  '/etc/shadow-',
  '/etc/ssh',
  '/etc/ssl/private',
  '/etc/wireguard',
];

/** Variables that name the certificate files and folders needed to use a network. */
const CERTIFICATES = [
  'AWS_CA_BUNDLE',
  'CARGO_HTTP_CAINFO',
  'CURL_CA_BUNDLE',
  'GIT_SSL_CAINFO',
  'NIX_SSL_CERT_FILE',
  'NODE_EXTRA_CA_CERTS',
  'PIP_CERT',
  'REQUESTS_CA_BUNDLE',
  'SSL_CERT_DIR',
  'SSL_CERT_FILE',
];

export const certificatesIn = (env: Env): string[] =>
  CERTIFICATES.flatMap(name => env[name]?.split(delimiter) ?? []).filter(isAbsolute);

/** Folders that are not used as a home: a system account may have one of them as its home, or no home. */
const NO_HOME = ['/usr', '/bin', '/sbin', '/lib', '/etc', '/dev', '/proc', '/sys'];
const TAKEN = [...SYSTEM, ...NO_HOME, '/tmp', '/var/tmp', '/run'];

/** The path of the home in the sandbox: that of the user's home unless it conflicts with system folders. */
export const homeIn = ({ HOME: home }: Env): string =>
  home?.startsWith('/') &&
  !NO_HOME.some(part => isWithin(part, home)) &&
  !TAKEN.some(part => isWithin(home, part))
    ? home
    : '/home/dure';

/** Builds the complete environment of a confined command. `env` is that of the user. */
export const confinedEnvironment = (env: Env): Env => ({
  ...toolchainVariables(env),
  ...env,
  HOME: homeIn(env),
  TMPDIR: '/tmp',
});

export function viewOf(confinement: Confinement, env: Env, cwd: string, privateFolders: TemporaryHome): View {
  const mounts = new Map<string, Mount>();
  const links = new Map<string, SymbolicLink>();
  const addLinks = (passed: readonly SymbolicLink[]) => {
    for (const link of passed) links.set(link.at, link);
  };
  const addMounts = (...several: readonly Mount[]) => {
    for (const mount of several) mounts.set(mount.at, mount);
  };
  /** Resolves the links of a path and mounts its target; does nothing if the target does not exist. */
  const mountReal = (path: string, mountOf: (at: string) => Mount | null) => {
    const found = resolveLinks(path);
    const mount = found && mountOf(found.real);
    if (mount) addMounts(mount);
    addLinks(found?.links ?? []);
  };
  const readOnly = (at: string): Mount => ({ kind: 'read-only', at });
  const isVisible = (at: string) => isOfHost([...mounts.values()], at);

  addMounts(
    { kind: 'proc', at: '/proc' },
    { kind: 'dev', at: '/dev' },
    { kind: 'empty', at: '/dev/shm' },
    { kind: 'empty', at: '/run' },
    { kind: 'folder', at: '/tmp', from: privateFolders.tmp },
    { kind: 'folder', at: '/var/tmp', from: privateFolders.varTmp },
  );
  for (const path of KERNEL_SETTINGS) mountReal(path, readOnly);
  for (const path of SYSTEM) mountReal(path, at => (isVisible(at) ? null : readOnly(at)));
  for (const path of SYSTEM_SECRETS) mountReal(path, at => (canBeRead(at) ? nothingAt(at) : null));

  const home = resolveLinks(homeIn(env)) ?? { real: homeIn(env), links: [] };
  addLinks(home.links);
  addMounts({ kind: 'folder', at: home.real, from: privateFolders.home });

  const hidden = (confinement.hidden ?? []).flatMap(path => resolveLinks(path)?.real ?? []);
  const toolchain = toolchainOf(env, { home: home.real, isSeen: isVisible, hidden });
  // PATH may also contain folders of the checkout. They stay writable, because tests write next to the
  // programs there.
  const writable = confinement.writable.flatMap(path => resolveLinks(path)?.real ?? []);
  const outside = (path: string) => !writable.some(folder => isWithin(folder, path));
  addMounts(...toolchain.paths.filter(outside).map(readOnly));
  addLinks(toolchain.links);

  if (confinement.network)
    for (const path of ['/etc/resolv.conf', ...certificatesIn(env)])
      mountReal(path, at => (isVisible(at) ? null : readOnly(at)));
  for (const path of confinement.blank ?? []) mountReal(path, at => ({ kind: 'blank', at }));
  for (const path of confinement.readable) mountReal(path, readOnly);
  for (const path of confinement.writable) mountReal(path, at => ({ kind: 'writable', at }));
  for (const { at, from } of confinement.folders ?? [])
    mountReal(at, real => ({ kind: 'folder', at: real, from }));
  for (const path of hidden) if (isVisible(path) && !mounts.has(path)) addMounts(nothingAt(path));
  addLinks(resolveLinks(cwd)?.links ?? []);
  return { mounts: [...mounts.values()], links: [...links.values()], cwd, network: confinement.network };
}

const nothingAt = (at: string): Mount => ({
  kind: lstatSync(at).isDirectory() ? 'empty' : 'empty-file',
  at,
});

function canBeRead(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
