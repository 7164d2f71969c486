/** Resolves paths as the kernel does. Never throws because of what is on disk; returns null for a missing path. */
import { readlinkSync } from 'node:fs';
import { dirname, join, parse, resolve, sep } from 'node:path';

/** A symbolic link: its real path and its target. */
export interface SymbolicLink {
  readonly at: string;
  readonly target: string;
}

export interface ResolvedPath {
  /** The path without symbolic links. */
  readonly real: string;
  /** The links followed, in order. */
  readonly links: readonly SymbolicLink[];
}

/** Maximum number of links in one path, as in Linux. */
const MAX_LINKS = 40;

/** Resolves all symbolic links of an absolute path. Null if a part is missing or there are too many links. */
export function resolveLinks(path: string): ResolvedPath | null {
  const links: SymbolicLink[] = [];
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
    if (links.length === MAX_LINKS) return null;
    links.push({ at, target });
    const resolved = resolve(dirname(at), target);
    rest.unshift(...partsOf(resolved));
    real = parse(resolved).root;
  }
  return { real, links };
}

const partsOf = (path: string): string[] => resolve(path).split(sep).filter(Boolean);

/** Returns the target of a link; undefined if the path exists but is not a link, null if it does not exist. */
function linkAt(path: string): string | null | undefined {
  try {
    return readlinkSync(path);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EINVAL' ? undefined : null;
  }
}
