/**
 * The arguments of bubblewrap for one command. Pure. What always holds: the command sees only what `View` names, each at
 * its real path; it has PID, IPC, UTS and cgroup namespaces of its own and no capability; and it dies with whoever
 * started it.
 */
import { dirname } from 'node:path';
import type { Link } from './paths.ts';

/** What lies at a path inside the sandbox. */
export type Mount =
  /** The host's own, at the same path. */
  | { readonly kind: 'read-only' | 'writable'; readonly at: string }
  /** Another folder of the host. */
  | { readonly kind: 'folder'; readonly at: string; readonly from: string }
  | { readonly kind: 'empty' | 'empty-file' | 'proc' | 'dev'; readonly at: string };

export interface View {
  /** At most one for each path; in any order. */
  readonly mounts: readonly Mount[];
  /** Made where no mount has them already. */
  readonly links: readonly Link[];
  readonly cwd: string;
  readonly network: boolean;
}

/** What the machine needs beside the usual, as found by trying. */
export type Namespaces = readonly '--unshare-user'[];

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
  // A folder is mounted before what lies within it.
  const mounts = [...view.mounts].sort((a, b) => depthOf(a.at) - depthOf(b.at));
  return [
    ...ALWAYS,
    ...namespaces,
    ...(view.network ? [] : ['--unshare-net']),
    ...mounts.flatMap(argumentsOf),
    ...view.links
      .filter(link => !isOfHost(mounts, dirname(link.at)))
      .flatMap(({ at, target }) => ['--symlink', target, at]),
    // The root itself is a scratch folder; nobody should take it for one.
    '--remount-ro',
    '/',
    '--chdir',
    view.cwd,
    '--',
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
      return ['--tmpfs', mount.at];
    case 'empty-file':
      return ['--ro-bind', '/dev/null', mount.at];
    case 'proc':
      return ['--proc', mount.at];
    case 'dev':
      return ['--dev', mount.at];
  }
}

/** True when the mount that a path lies in is the host's. */
export function isOfHost(mounts: readonly Mount[], path: string): boolean {
  for (let folder = path; ; folder = dirname(folder)) {
    const mount = mounts.find(({ at }) => at === folder);
    if (mount) return mount.kind === 'read-only' || mount.kind === 'writable';
    if (folder === dirname(folder)) return false;
  }
}

const depthOf = (path: string): number => path.split('/').filter(Boolean).length;
