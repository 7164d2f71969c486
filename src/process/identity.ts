/**
 * Identifies a process even after it has exited: a pid is reused, but not with the same boot id and start
 * time. Nothing here throws: a process that cannot be seen counts as nonexistent, and a zombie as dead.
 */
import { readFileSync } from 'node:fs';
import type { Identity } from '../formats/launch.ts';
import { innermostPid, pids, statOf } from './proc-table.ts';

/** Identifies the process that currently has this pid; null if there is none. */
export function identityOf(pid: number): Identity | null {
  if (!Number.isSafeInteger(pid) || pid <= 0) return null;
  try {
    const started = startOf(pid);
    return started === null ? null : { pid, boot: bootId(), started };
  } catch {
    return null;
  }
}

export function ownIdentity(): Identity {
  const own = identityOf(process.pid);
  if (!own) throw new Error(`process ${process.pid} cannot see itself: is /proc mounted?`);
  return own;
}

export function isAlive(identity: Identity): boolean {
  const now = identityOf(identity.pid);
  return now !== null && isSame(now, identity);
}

/**
 * Like `isAlive`, but also finds a process in a container on this machine, whose pid here differs from the one that it
 * recorded. Slow, because it checks every process.
 */
export function isAliveOnMachine(identity: Identity): boolean {
  if (isAlive(identity)) return true;
  const { pid, started } = identity;
  try {
    return (
      identity.boot === bootId() && pids().some(one => startOf(one) === started && innermostPid(one) === pid)
    );
  } catch {
    return false;
  }
}

export const isSame = (a: Identity, b: Identity): boolean =>
  a.pid === b.pid && a.started === b.started && a.boot === b.boot;

/** Signals the process if it is still the same one. Returns false if it is not, or if this user may not signal it. */
export function signalProcess(identity: Identity, name: NodeJS.Signals): boolean {
  if (!isAlive(identity)) return false;
  try {
    return process.kill(identity.pid, name);
  } catch {
    return false;
  }
}

const startOf = (pid: number): string | null =>
  process.platform === 'linux' ? (statOf(pid)?.started ?? null) : ofPs(pid);

function ofPs(pid: number): string | null {
  const [state, ...started] = outputOf('ps', '-o', 'stat=,lstart=', '-p', String(pid)).split(/\s+/);
  return !state || state.startsWith('Z') ? null : started.join(' ');
}

let boot: string | undefined;
function bootId(): string {
  boot ??=
    process.platform === 'linux'
      ? readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
      : outputOf('sysctl', '-n', 'kern.bootsessionuuid');
  return boot;
}

/** Loads `node:child_process` on demand: it is never needed on Linux, and lists of runs must be fast. */
const outputOf = (command: string, ...args: string[]): string =>
  process
    .getBuiltinModule('node:child_process')
    .execFileSync(command, args, {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    .trim();
