/**
 * Measures the disk space that folders use, as `du` does: a sparse file counts only for the blocks it
 * occupies.
 */
import { execFile } from 'node:child_process';

const BLOCK = 1024;

/** Returns bytes by path, without paths that do not exist. Uses `du`, which is several times faster than Node. */
export function diskUse(paths: readonly string[]): Promise<Map<string, number>> {
  const options = { maxBuffer: 10_000_000, env: { PATH: process.env['PATH'], LC_ALL: 'C' } };
  return new Promise(resolve => {
    if (paths.length === 0) return resolve(new Map());
    // If an entry disappears while du runs, du fails but still prints the other sizes.
    execFile('du', ['-sk', ...paths], options, (_, stdout) => {
      const lines = stdout.split('\n').flatMap(line => {
        const [, blocks, path] = /^(\d+)\t(.+)$/.exec(line) ?? [];
        return path === undefined ? [] : [[path, Number(blocks) * BLOCK] as const];
      });
      resolve(new Map(lines));
    });
  });
}
