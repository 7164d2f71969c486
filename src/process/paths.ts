/** Paths as the kernel resolves them. Nothing here throws because of what is on disk: a path that leads nowhere is null. */
import { readlinkSync } from 'node:fs';
import { dirname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path';

/** A symbolic link by its real place, and what stands in it. */
export interface Link {
  readonly at: string;
  readonly target: string;
}

export interface Followed {
  /** Without any symbolic link in it. */
  readonly real: string;
  /** Those that were passed on the way, in order. */
  readonly links: readonly Link[];
}

/** As many as Linux follows. */
const MOST_LINKS = 40;

/** Resolves each symbolic link of an absolute path. Null when something on the way is missing or the links never end. */
export function follow(path: string): Followed | null {
  const links: Link[] = [];
  let real = parse(path).root;
  const rest = partsOf(path);
  while (rest.length > 0) {
    const at = join(real, rest.shift()!);
    const target = linkAt(at);
    if (target === null) return null;
    if (target === undefined) {
      real = at;
      continue;
    }
    if (links.length === MOST_LINKS) return null;
    links.push({ at, target });
    const goal = resolve(dirname(at), target);
    rest.unshift(...partsOf(goal));
    real = parse(goal).root;
  }
  return { real, links };
}

const partsOf = (path: string): string[] => resolve(path).split(sep).filter(Boolean);

/** Undefined when it is there and no link, null when it is not there. */
function linkAt(path: string): string | null | undefined {
  try {
    return readlinkSync(path);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EINVAL' ? undefined : null;
  }
}

/** True for the folder itself as well. Pure. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** The parents of a folder, nearest first, up to the root. Pure. */
export const foldersAbove = (folder: string): string[] =>
  dirname(folder) === folder ? [] : [dirname(folder), ...foldersAbove(dirname(folder))];
