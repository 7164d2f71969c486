/** Reads the processes of this machine from /proc, which only Linux has. A process may exit at any time. */
import { readdirSync, readFileSync } from 'node:fs';

/** Lists the pids of all processes; empty on systems other than Linux. Throws on Linux if /proc is not mounted. */
export const pids = (): number[] =>
  process.platform === 'linux'
    ? readdirSync('/proc')
        .filter(name => /^\d+$/.test(name))
        .map(Number)
    : [];

export interface ProcessStat {
  readonly parent: number;
  readonly group: number;
  /** The start time, in clock ticks since the machine started. */
  readonly started: string;
  /** Whether it was stopped by a signal, such as SIGSTOP or SIGTSTP (Ctrl-Z), and has not been continued yet. */
  readonly suspended: boolean;
}

/** Null for a process that has exited, even if it is still a zombie. */
export function statOf(pid: number): ProcessStat | null {
  const stat = read(pid, 'stat', 'latin1');
  // The name is in parentheses and may contain spaces and parentheses, so parse after the last one.
  const [state, parent, group, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const started = fields[16];
  if (state === 'Z' || state === 'X' || started === undefined) return null;
  return { parent: Number(parent), group: Number(group), started, suspended: state === 'T' };
}

/** Whether a signal has stopped the process until it is continued. False on systems other than Linux. */
export const isSuspended = (pid: number): boolean => statOf(pid)?.suspended ?? false;

/** The pid of a process as the process itself sees it: in a container, it differs from the one on the host. */
export function innermostPid(pid: number): number {
  const [own] = /\d+$/m.exec(/^NSpid:.*$/m.exec(read(pid, 'status', 'latin1'))?.[0] ?? '') ?? [pid];
  return Number(own);
}

/** The environment with which the process was started, as `NAME=value`; empty if it is not readable. */
export const environmentOf = (pid: number): string[] => read(pid, 'environ', 'utf8').split('\0');

function read(pid: number, name: string, encoding: 'latin1' | 'utf8'): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, encoding);
  } catch {
    return '';
  }
}
