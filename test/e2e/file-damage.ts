/** What can happen to a file or folder. Each harm returns false if it does not apply. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

type Harm = (path: string, another: string) => boolean;

const found = (path: string) => lstatSync(path, { throwIfNoEntry: false });

/** Replaces whatever is at the path. */
function put(path: string, make: (path: string) => void): true {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(dirname(path), { recursive: true });
  make(path);
  return true;
}
const text = (content: string | Buffer) => (path: string) => put(path, at => writeFileSync(at, content));

function ifFound(path: string, harm: () => void): boolean {
  if (!found(path)) return false;
  harm();
  return true;
}

function rewritten(path: string, change: (bytes: Buffer) => string | Buffer | null): boolean {
  if (!found(path)?.isFile()) return false;
  const changed = change(readFileSync(path));
  return changed !== null && text(changed)(path);
}

/** A key that a later version may have added. */
function ofNewerVersion(bytes: Buffer): string | null {
  const line = bytes.toString();
  if (!line.startsWith('{\n')) return null;
  return line.replace('{\n', '{\n  "of_a_newer_version": { "a": 1 },\n');
}

const BYTES = Buffer.from(Array.from({ length: 300 }, (_, i) => (i * 7919 + 13) % 256));

/** `another` is the same file of another run. */
export const HARMS = {
  missing: path => ifFound(path, () => rmSync(path, { recursive: true })),
  empty: text(''),
  'cut in half': path => rewritten(path, bytes => bytes.subarray(0, Math.floor(bytes.length / 2))),
  'random bytes': text(BYTES),
  'another shape': text('{"a": [1]}\n'),
  'of a newer version': path => rewritten(path, ofNewerVersion),
  'of another run': (path, another) =>
    another !== path && found(another)?.isFile() === true && put(path, at => copyFileSync(another, at)),
  'a folder': path => found(path)?.isDirectory() !== true && put(path, at => mkdirSync(at)),
  'a link': path => put(path, at => symlinkSync('/etc/hostname', at)),
  'a dangling link': path => put(path, at => symlinkSync('/nowhere/at/all', at)),
  'a pipe': path => put(path, at => spawnSync('mkfifo', [at])),
  unreadable: path => ifFound(path, () => chmodSync(path, 0)),
} satisfies Record<string, Harm> as Record<string, Harm>;
