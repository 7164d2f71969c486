/**
 * Builds the bubblewrap arguments for a command. This module is pure. Invariants: the command sees only what
 * `View` lists, each at its real path; it has its own PID, IPC, UTS and cgroup namespaces, no capabilities
 * and a limit on processes; and it dies with its parent.
 */
import { dirname } from 'node:path';
import type { SymbolicLink } from '../../formats/file-system/resolve-links.ts';

/** What is mounted at a path in the sandbox. */
export type Mount =
  /** The same path on the host. */
  | { readonly kind: 'read-only' | 'writable'; readonly at: string }
  /** Another folder on the host. */
  | { readonly kind: 'folder'; readonly at: string; readonly from: string }
  /** `blank` is empty and read-only, except for the mounts in it. */
  | { readonly kind: 'empty' | 'blank' | 'empty-file' | 'proc' | 'dev'; readonly at: string };

export interface View {
  /** At most one per path; in any order. */
  readonly mounts: readonly Mount[];
  /** Links to create where no mount provides them. */
  readonly links: readonly SymbolicLink[];
  readonly cwd: string;
  readonly network: boolean;
}

/** Extra namespace options that this machine needs, determined by a test. */
export type Namespaces = readonly '--unshare-user'[];

/**
 * Maximum number of processes and threads in a sandbox: enough for builds on many processors, too few to
 * bring the machine down. The kernel does not limit root.
 */
export const MAX_PROCESSES = 8192;
/** The option of `ulimit` is -u in bash and -p in dash. If the user's limit is lower, it still applies. */
const LIMITED = `ulimit -u ${MAX_PROCESSES} 2> /dev/null || ulimit -p ${MAX_PROCESSES} 2> /dev/null; exec "$@"`;

const ALWAYS = [
  '--unshare-pid',
  '--unshare-ipc',
  '--unshare-uts',
  '--unshare-cgroup-try',
  '--die-with-parent',
  '--new-session',
  '--cap-drop',
  'ALL',
];

export function bubblewrapArguments(
  view: View,
  namespaces: Namespaces,
  command: readonly string[],
): string[] {
  // Parents are mounted before their children.
  const mounts = [...view.mounts].sort((a, b) => depthOf(a.at) - depthOf(b.at));
  return [
    ...ALWAYS,
    ...namespaces,
    ...(view.network ? [] : ['--unshare-net']),
    ...mounts.flatMap(argumentsOf),
    ...view.links
      .filter(link => !isOfHost(mounts, dirname(link.at)))
      .flatMap(({ at, target }) => ['--symlink', target, at]),
    ...mounts.flatMap(({ kind, at }) => (kind === 'blank' ? ['--remount-ro', at] : [])),
    // The root is an empty temporary folder, made read-only so that nothing is written to it.
    '--remount-ro',
    '/',
    '--chdir',
    view.cwd,
    '--',
    ...['sh', '-c', LIMITED, 'sh'],
    ...command,
  ];
}

function argumentsOf(mount: Mount): string[] {
  switch (mount.kind) {
    case 'read-only':
      return ['--ro-bind', mount.at, mount.at];
    case 'writable':
      return ['--bind', mount.at, mount.at];
    case 'folder':
      return ['--bind', mount.from, mount.at];
    case 'empty':
    case 'blank':
      return ['--tmpfs', mount.at];
    case 'empty-file':
      return ['--ro-bind', '/dev/null', mount.at];
    case 'proc':
      return ['--proc', mount.at];
    case 'dev':
      return ['--dev', mount.at];
  }
}

/** Whether the mount that contains a path shows what is at the same path on the host. */
export function isOfHost(mounts: readonly Mount[], path: string): boolean {
  for (let folder = path; ; folder = dirname(folder)) {
    const mount = mounts.find(({ at }) => at === folder);
    if (mount) return mount.kind === 'read-only' || mount.kind === 'writable';
    if (folder === dirname(folder)) return false;
  }
}

const depthOf = (path: string): number => path.split('/').filter(Boolean).length;
