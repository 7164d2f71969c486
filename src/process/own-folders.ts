/** The empty folders that every command has for itself; gone with all that is in them when the work is done. */
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { erase } from './erase.ts';

export interface OwnFolders {
  readonly top: string;
  readonly home: string;
  readonly tmp: string;
  readonly varTmp: string;
}

export async function withOwnFolders<T>(work: (own: OwnFolders) => Promise<T>): Promise<T> {
  const top = await mkdtemp(join(tmpdir(), 'dure-command-'));
  try {
    const own = { top, home: join(top, 'home'), tmp: join(top, 'tmp'), varTmp: join(top, 'var-tmp') };
    for (const folder of [own.home, own.tmp, own.varTmp]) await mkdir(folder);
    return await work(own);
  } finally {
    await erase(top);
  }
}
