/** Copies folders without hard links. Uses reflinks where the file system supports them. */
import { execFile } from 'node:child_process';
import { isFolder } from '../../formats/file-system/path-status.ts';

/** Arguments of the platform's `cp`. The target must not exist. */
const ARGUMENTS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  linux: ['-a', '--reflink=auto'],
  darwin: ['-Rpc'],
};
const EVERYWHERE = ['-Rp'];

export async function copyFolder(from: string, to: string, signal: AbortSignal): Promise<void> {
  const own = ARGUMENTS[process.platform] ?? EVERYWHERE;
  try {
    await copied([...own, from, to], signal);
  } catch (error) {
    signal.throwIfAborted();
    // A cp that does not support these arguments fails before it copies anything.
    if (await isFolder(to)) throw error;
    await copied([...EVERYWHERE, from, to], signal);
  }
}

const copied = (args: readonly string[], signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    execFile('cp', args, { signal, maxBuffer: 50_000_000 }, (error, _, stderr) =>
      error ? reject(new Error(`cp: ${stderr.slice(0, 500) || error.message}`)) : resolve(),
    );
  });
