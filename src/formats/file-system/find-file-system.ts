/** Finds the file system that contains a path. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

export interface FileSystem {
  /** Device or kind, and mount point: `/dev/vda1 on /`. */
  readonly name: string;
  /** Bytes available to this user. */
  readonly free: number;
}

const LIMIT_MS = 5000;

/** Null if `df` does not report the file system. The path itself need not exist. */
export async function fileSystemOf(path: string): Promise<FileSystem | null> {
  let folder = path;
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  try {
    const { stdout } = await promisify(execFile)('df', ['-Pk', folder], { timeout: LIMIT_MS });
    const [, device, free, mount] =
      /^(.+?)\s+\d+\s+\d+\s+(\d+)\s+\S+\s+(\/.*)$/.exec(stdout.trim().split('\n').at(-1)!) ?? [];
    return mount === undefined ? null : { name: `${device} on ${mount}`, free: Number(free) * 1024 };
  } catch {
    return null;
  }
}
