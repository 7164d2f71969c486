/**
 * Refuses links inside a run. An agent can replace any folder of its run with a symbolic link to another place. Dure
 * does not follow these links: it checks each part of a path below the run folder before it reads or writes there.
 */
import { lstatSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import { dureError } from '../errors.ts';
import { RUN_ID } from './layout.ts';

/**
 * Finds the first symbolic link in a path, starting at its run folder, and returns the path from the run folder to the
 * link. Null if there is no link, or no run folder in the path.
 */
export function linkInRun(path: string): string | null {
  const parts = path.split(sep);
  const run = runIn(parts);
  if (run < 0) return null;
  for (let end = run + 1; end <= parts.length; end += 1) {
    const found = lstatSync(parts.slice(0, end).join(sep), { throwIfNoEntry: false });
    if (!found) return null;
    if (found.isSymbolicLink()) return parts.slice(run, end).join(sep);
  }
  return null;
}

/** Returns the part of a path that begins with its run folder; null if the path contains no run folder. */
export function pathFromRun(path: string): string | null {
  const parts = path.split(sep);
  const run = runIn(parts);
  return run < 0 ? null : parts.slice(run).join(sep);
}

const runIn = (parts: readonly string[]): number =>
  parts.findLastIndex((part, i) => RUN_ID.test(part) && parts[i - 1] === 'runs');

/** Must be called before writing to a path in a run. Throws `E_DISK` if a folder in the path is a link. */
export function expectNoLink(file: string): void {
  const link = linkInRun(dirname(file));
  if (link) throw dureError('E_DISK', { file, why: `${link} is a symbolic link` });
}
