/** What this machine can do: each means of injecting a fault, or the reason why it is skipped. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

const runs = (program, ...args) => {
  try {
    execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    return true;
  } catch {
    return false;
  }
};

export const mount = folder =>
  runs('mount', '-t', 'tmpfs', '-o', 'size=64m,mode=0755', 'dure-torture', folder);
export const unmount = folder => runs('umount', folder) || runs('umount', '--lazy', folder);

function smallDisk(top) {
  const folder = join(top, 'trial');
  mkdirSync(folder);
  const works = mount(folder) && unmount(folder);
  rmSync(folder, { recursive: true, force: true });
  return works;
}

function failingDisk(top) {
  const library = join(top, 'failing-disk.so');
  const source = resolve(import.meta.dirname, 'failing-disk.c');
  return runs('cc', '-shared', '-fPIC', '-O1', '-o', library, source, '-ldl') ? library : null;
}

/** The multithreaded variant, as Debian and others install it. */
function fakeClock() {
  const folders = existsSync('/usr/lib')
    ? readdirSync('/usr/lib').map(name => join('/usr/lib', name, 'faketime'))
    : [];
  return (
    [...folders, '/usr/lib/faketime', '/usr/lib64/faketime']
      .map(folder => join(folder, 'libfaketimeMT.so.1'))
      .find(existsSync) ?? null
  );
}

/** Prints what is skipped. */
export function examineMachine(top, say) {
  const means = {
    disk: process.platform === 'linux' && smallDisk(top),
    failing: process.platform === 'linux' ? failingDisk(top) : null,
    clock: process.platform === 'linux' ? fakeClock() : null,
    tmux: runs('tmux', '-V'),
  };
  if (!means.disk) say('skipped: full disks (mounting a small file system needs root)');
  if (!means.failing) say('skipped: input/output errors (no C compiler for the LD_PRELOAD library)');
  if (!means.clock) say('skipped: clock steps (libfaketime is not installed)');
  if (!means.tmux) say('skipped: kills of the tmux server (tmux is not installed)');
  return means;
}
