/**
 * Measures the disk space that folders use, as `du` does: a sparse file counts only for the blocks it
 * occupies.
 */
import { pickVariables } from '../process/pick-variables.ts';
import { runProgram } from '../process/run-program.ts';

const BLOCK = 1024;

/** Time limit in milliseconds for folders with millions of files. */
const LIMIT_MS = 600_000;

/** Returns bytes by path, without paths that do not exist. Uses `du`, which is several times faster than Node. */
export async function diskUse(paths: readonly string[]): Promise<Map<string, number>> {
  if (paths.length === 0) return new Map();
  const env = { ...pickVariables(process.env, name => name === 'PATH'), LC_ALL: 'C' };
  // If an entry disappears while du runs, du fails but still prints the other sizes.
  const du = await runProgram('du', ['-sk', ...paths], { cwd: '/', env, limitMs: LIMIT_MS }).catch(
    () => null,
  );
  const lines = (du?.stdout.toString() ?? '').split('\n').flatMap(line => {
    const [, blocks, path] = /^(\d+)\t(.+)$/.exec(line) ?? [];
    return path === undefined ? [] : [[path, Number(blocks) * BLOCK] as const];
  });
  return new Map(lines);
}
