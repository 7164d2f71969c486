/**
 * Measures the disk space that folders use, as `du` does: a sparse file counts only for the blocks it
 * occupies.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { namesIn, statsOf } from '../formats/file-system/path-status.ts';

const BLOCK = 1024;
/** The unit of `blocks`, whatever the file system uses. */
const BLOCKS_OF_STAT = 512;

/**
 * Bytes by path. Missing paths are left out. If `du` is missing, Node adds up the sizes, which is several times
 * slower.
 */
export function diskUse(paths: readonly string[]): Promise<Map<string, number>> {
  const options = { maxBuffer: 10_000_000, env: { PATH: process.env['PATH'], LC_ALL: 'C' } };
  return new Promise(resolve => {
    if (paths.length === 0) return resolve(new Map());
    // If an entry disappears while du runs, du fails but still prints the other sizes.
    execFile('du', ['-sk', ...paths], options, (error, stdout) => {
      if (error?.code === 'ENOENT') return resolve(counted(paths));
      const lines = stdout.split('\n').flatMap(line => {
        const [, blocks, path] = /^(\d+)\t(.+)$/.exec(line) ?? [];
        return path === undefined ? [] : [[path, Number(blocks) * BLOCK] as const];
      });
      resolve(new Map(lines));
    });
  });
}

async function counted(paths: readonly string[]): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  const seen = new Set<string>();
  for (const path of paths) {
    const bytes = await bytesOf(path, seen);
    if (bytes !== null) found.set(path, bytes);
  }
  return found;
}

/**
 * Null for a missing path. `seen` contains the files already counted, because a file may have several hard
 * links.
 */
async function bytesOf(path: string, seen: Set<string>): Promise<number | null> {
  const found = await statsOf(path);
  if (found === null) return null;
  const id = `${found.dev}:${found.ino}`;
  if (seen.has(id)) return 0;
  seen.add(id);
  let bytes = found.blocks * BLOCKS_OF_STAT;
  for (const name of found.isDirectory() ? await namesIn(path) : [])
    bytes += (await bytesOf(join(path, name), seen)) ?? 0;
  return bytes;
}
