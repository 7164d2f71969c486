/**
 * What one confined command sees: the system and the person's toolchain to read, folders of its own where it writes
 * without being asked (home, temporary files), and what its confinement names. Nothing else of the machine is there.
 */
import { accessSync, constants, lstatSync } from 'node:fs';
import { delimiter } from 'node:path';
import { isOfHost, type Mount, type View } from './bubblewrap.ts';
import type { OwnFolders } from './own-folders.ts';
import { follow, isWithin, type Link } from './paths.ts';
import { type Env, toolchainOf } from './toolchain.ts';

/** What one command may see and do, beside what every command may. */
export interface Confinement {
  readonly writable: readonly string[];
  readonly readable: readonly string[];
  /** Not seen although it lies within something that is; what `readable` and `writable` name in it is seen. */
  readonly hidden?: readonly string[];
  /** False: loopback alone. */
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
  // How many processors there are, and how much memory.
  '/sys/devices/system',
  '/sys/fs/cgroup',
];

/** Settings of the kernel, which root may change without any capability, from within every namespace. */
const KERNEL_SETTINGS = ['acpi', 'bus', 'fs', 'irq', 'mtrr', 'scsi', 'sys', 'sysrq-trigger'].map(
  name => `/proc/${name}`,
);

/** For root's eyes only, and a confined command of root's is root. */
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

/** Files and folders that these name are needed to reach a network. */
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

/** An account of the system may have a part of it as home, or none. */
const NO_HOME = ['/usr', '/bin', '/sbin', '/lib', '/etc', '/dev', '/proc', '/sys'];
const TAKEN = [...SYSTEM, ...NO_HOME, '/tmp', '/var/tmp', '/run'];

/** Where the home lies for a confined command: where the person's is. */
export const homeIn = ({ HOME: home }: Env): string =>
  home?.startsWith('/') &&
  !NO_HOME.some(part => isWithin(part, home)) &&
  !TAKEN.some(part => isWithin(home, part))
    ? home
    : '/home/dure';

export function viewOf(confinement: Confinement, env: Env, cwd: string, own: OwnFolders): View {
  const mounts = new Map<string, Mount>();
  const links = new Map<string, Link>();
  const pass = (passed: readonly Link[]) => {
    for (const link of passed) links.set(link.at, link);
  };
  const put = (...several: readonly Mount[]) => {
    for (const mount of several) mounts.set(mount.at, mount);
  };
  /** What the path of the host leads to; left out when it leads nowhere. */
  const putReal = (path: string, mountOf: (at: string) => Mount | null) => {
    const found = follow(path);
    const mount = found && mountOf(found.real);
    if (mount) put(mount);
    pass(found?.links ?? []);
  };
  const readOnly = (at: string): Mount => ({ kind: 'read-only', at });
  const seen = (at: string) => isOfHost([...mounts.values()], at);

  put(
    { kind: 'proc', at: '/proc' },
    { kind: 'dev', at: '/dev' },
    { kind: 'empty', at: '/dev/shm' },
    { kind: 'empty', at: '/run' },
    { kind: 'folder', at: '/tmp', from: own.tmp },
    { kind: 'folder', at: '/var/tmp', from: own.varTmp },
  );
  for (const path of KERNEL_SETTINGS) putReal(path, readOnly);
  for (const path of SYSTEM) putReal(path, at => (seen(at) ? null : readOnly(at)));
  for (const path of SYSTEM_SECRETS) putReal(path, at => (canBeRead(at) ? nothingAt(at) : null));

  const home = follow(homeIn(env)) ?? { real: homeIn(env), links: [] };
  pass(home.links);
  put({ kind: 'folder', at: home.real, from: own.home });

  const hidden = (confinement.hidden ?? []).flatMap(path => follow(path)?.real ?? []);
  const toolchain = toolchainOf(env, { home: home.real, isSeen: seen, hidden });
  // Programs of the checkout stand on PATH too, and tests write beside them.
  const writable = confinement.writable.flatMap(path => follow(path)?.real ?? []);
  const outside = (path: string) => !writable.some(folder => isWithin(folder, path));
  put(...toolchain.paths.filter(outside).map(readOnly));
  pass(toolchain.links);

  if (confinement.network)
    for (const path of [
      '/etc/resolv.conf',
      ...CERTIFICATES.flatMap(name => env[name]?.split(delimiter) ?? []),
    ])
      putReal(path, at => (seen(at) ? null : readOnly(at)));
  for (const path of confinement.readable) putReal(path, readOnly);
  for (const path of confinement.writable) putReal(path, at => ({ kind: 'writable', at }));
  for (const path of hidden) if (seen(path) && !mounts.has(path)) put(nothingAt(path));
  pass(follow(cwd)?.links ?? []);
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
