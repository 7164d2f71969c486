/**
 * A code cache on disk. V8 looks at the head of what it is given and trusts the rest, so it stands twice in its file and
 * both have to be the same: comparing costs less than a checksum. Nothing here throws.
 */
import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

export interface KeptCode {
  /** Commands that it was made for. */
  readonly callers: readonly string[];
  readonly code: Buffer;
}

/** Files that are kept: several versions of Node and of Dure may be in use at once. */
const FILES = 8;
/** Bytes at the end for the callers; after the code, for V8 wants that at the beginning. */
const TAIL = 256;

/** Null when there is none that is whole and this user's own. */
export function recall(file: string): KeptCode | null {
  try {
    const fd = openSync(file, 'r');
    try {
      const { size, uid, mode } = fstatSync(fd);
      const others = mode & 0o022;
      if (others || (process.getuid && uid !== process.getuid()) || size < 2 * TAIL || size % 2) return null;
      const both = Buffer.allocUnsafeSlow(size);
      if (readSync(fd, both, 0, size, 0) !== size) return null;
      const half = size / 2;
      if (both.compare(both, half, size, 0, half) !== 0) return null;
      const callers = both
        .toString('latin1', half - TAIL, half)
        .trim()
        .split(' ');
      return { callers, code: both.subarray(0, half - TAIL) };
    } finally {
      closeSync(fd);
    }
  } catch {
    return null;
  }
}

export function keep(file: string, { callers, code }: KeptCode): void {
  const dir = dirname(file);
  const making = `${file}.${process.pid}`;
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    const one = [code, Buffer.from(callers.join(' ').padEnd(TAIL), 'latin1')];
    writeFileSync(making, Buffer.concat([...one, ...one]), { mode: 0o600, flag: 'wx' });
    renameSync(making, file);
    const old = readdirSync(dir)
      .map(name => join(dir, name))
      .map(path => ({ path, age: statSync(path).mtimeMs }))
      .sort((a, b) => b.age - a.age)
      .slice(FILES);
    for (const { path } of old) rmSync(path, { force: true });
  } catch {
    // The next call compiles again. What was begun is nobody's.
    try {
      rmSync(making, { force: true });
    } catch {}
  }
}
