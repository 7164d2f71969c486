/** Creates a command's temporary HOME and TMPDIR, and removes them when the work is done. */
import { mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { removeFolder } from '../../formats/file-system/remove-folder.ts';
import { unlessDiskFails } from '../../formats/file-system/temporary-disk-errors.ts';
import { temporaryFolder } from '../../formats/file-system/temporary-folder.ts';

export interface TemporaryHome {
  readonly top: string;
  readonly home: string;
  readonly tmp: string;
  readonly varTmp: string;
}

export async function withTemporaryHome<T>(work: (own: TemporaryHome) => Promise<T>): Promise<T> {
  const own = await newTemporaryHome();
  try {
    return await work(own);
  } finally {
    await removeTemporaryHome(own);
  }
}

export async function newTemporaryHome(): Promise<TemporaryHome> {
  const top = await temporaryFolder('dure-command-');
  const own = { top, home: join(top, 'home'), tmp: join(top, 'tmp'), varTmp: join(top, 'var-tmp') };
  for (const folder of [own.home, own.tmp, own.varTmp]) await mkdir(folder);
  return own;
}

export const removeTemporaryHome = ({ top }: TemporaryHome): Promise<void> => removeFolder(top);

/** A folder whose files appear as links in a temporary HOME. The command can replace the links, but not the files. */
export interface HomeLinks {
  readonly from: string;
  /** Relative to HOME. */
  readonly to: string;
}

export async function linkFiles(home: string, { from, to }: HomeLinks): Promise<void> {
  const link = async (source: string, target: string): Promise<void> => {
    await mkdir(target, { recursive: true });
    const entries = await readdir(source, { withFileTypes: true }).catch(unlessDiskFails([]));
    await Promise.all(
      entries.map(entry =>
        (entry.isDirectory() ? link : symlink)(join(source, entry.name), join(target, entry.name)),
      ),
    );
  };
  await link(from, join(home, to));
}
