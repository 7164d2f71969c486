/**
 * Which files of a worktree change, for those who look on. It may hold a hundred thousand files, so folders are
 * watched and not files, the upper ones first, and only so many; what lies deeper is not told, nor is what is gone.
 * A hint and no more: nothing depends on it.
 */
import { type FSWatcher, watch } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isBeingMade } from '../formats/file.ts';

const MOST_FOLDERS = 256;
const LEFT_OUT = ['.git', '.dure', 'node_modules'];

export interface WorktreeWatch {
  /** Begins as soon as the folder is there; may be called again and again. */
  begin(): void;
  end(): void;
}

export function worktreeWatch(root: string, changed: (path: string) => void): WorktreeWatch {
  const watched = new Map<string, FSWatcher>();
  let over = false;

  const tell = (path: string) => {
    if (!isBeingMade(path)) changed(path);
  };
  const forget = (dir: string) => {
    watched.get(dir)?.close();
    watched.delete(dir);
  };

  /** Watches a folder; gives those in it, and tells its files when it appeared under our eyes. */
  const add = async (dir: string, isNew: boolean): Promise<string[]> => {
    if (over || watched.has(dir) || watched.size >= MOST_FOLDERS) return [];
    try {
      const watcher = watch(dir, { persistent: false }, (_kind, name) => {
        if (name && !LEFT_OUT.includes(name)) void look(join(dir, name));
      });
      watcher.on('error', () => forget(dir));
      watched.set(dir, watcher);
    } catch {
      return [];
    }
    const entries = await readdir(dir, { withFileTypes: true }).catch(() => []);
    if (isNew) for (const entry of entries) if (!entry.isDirectory()) tell(join(dir, entry.name));
    return entries
      .filter(entry => entry.isDirectory() && !LEFT_OUT.includes(entry.name))
      .map(entry => join(dir, entry.name));
  };

  const addAll = async (first: string, isNew: boolean): Promise<void> => {
    const folders = [first];
    for (let dir = folders.shift(); dir !== undefined; dir = folders.shift())
      folders.push(...(await add(dir, isNew)));
  };

  const look = async (path: string): Promise<void> => {
    const found = await lstat(path).catch(() => null);
    if (over) return;
    if (!found) forget(path);
    else if (found.isDirectory()) await addAll(path, true);
    else tell(path);
  };

  return {
    begin() {
      if (!watched.has(root)) void addAll(root, false);
    },
    end() {
      over = true;
      for (const dir of [...watched.keys()]) forget(dir);
    },
  };
}
