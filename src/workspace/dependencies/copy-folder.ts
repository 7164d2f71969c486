/** Copies folders without hard links. Uses reflinks where the file system supports them. */
import { execFile } from 'node:child_process';
import { isFolder } from '../../formats/file-system/path-status.ts';
import { printedDiskError } from '../../formats/file-system/temporary-disk-errors.ts';

/** Arguments of the platform's `cp`. The target must not exist. */
const ARGUMENTS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  linux: ['-a', '--reflink=auto'],
  darwin: ['-Rpc'],
};
const EVERYWHERE = ['-Rp'];

/** Fails with `E_DISK` if the disk is full or fails. */
export async function copyFolder(from: string, to: string, signal: AbortSignal): Promise<void> {
  const own = ARGUMENTS[process.platform] ?? EVERYWHERE;
  try {
    await copied(own, from, to, signal);
  } catch (error) {
    signal.throwIfAborted();
    // A cp that does not support these arguments fails before it copies anything.
    if (await isFolder(to)) throw error;
    await copied(EVERYWHERE, from, to, signal);
  }
}

const copied = (options: readonly string[], from: string, to: string, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const env = { ...process.env, LC_ALL: 'C' };
    execFile('cp', [...options, from, to], { env, signal, maxBuffer: 50_000_000 }, (error, _, stderr) => {
      if (!error) return resolve();
      reject(printedDiskError(to, stderr) ?? new Error(`cp: ${stderr.slice(0, 500) || error.message}`));
    });
  });
