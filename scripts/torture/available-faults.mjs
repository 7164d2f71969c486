/** Determines which means of injecting faults this machine has, and prints why others are skipped. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
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

/** Compiles an LD_PRELOAD library. Returns null if there is no C compiler. */
export function preload(top, name) {
  const library = join(top, `${name}.so`);
  const source = resolve(import.meta.dirname, `${name}.c`);
  return runs('cc', '-shared', '-fPIC', '-O1', '-o', library, source, '-ldl') ? library : null;
}

/** Returns the available means, and prints what is skipped. */
export function examineMachine(top, say) {
  const means = {
    disk: process.platform === 'linux' && smallDisk(top),
    failing: process.platform === 'linux' ? preload(top, 'failing-disk') : null,
    clock: process.platform === 'linux' ? preload(top, 'stepped-clock') : null,
    tmux: runs('tmux', '-V'),
  };
  if (!means.disk) say('skipped: full disks (mounting a small file system needs root)');
  if (!means.failing || !means.clock)
    say('skipped: read and write errors and clock steps (no C compiler for the LD_PRELOAD libraries)');
  if (!means.tmux) say('skipped: kills of the tmux server (tmux is not installed)');
  return means;
}
