/**
 * If the registries cannot be reached, uses Go modules and Cargo crates that the user has already downloaded. Checksums
 * in go.sum and Cargo.lock are verified as usual.
 */
import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { namesIn, statsOf, statsOfTarget } from '../../formats/file-system/path-status.ts';
import { moduleEnvironment } from './install-environment.ts';
import type { InstallCommand } from './recognize-install-commands.ts';
import type { InstallSession } from './sandboxed-install-session.ts';

/** Returns null if the cached packages suffice, otherwise `problem`. */
export async function withoutNetwork(
  session: InstallSession,
  { family }: InstallCommand,
  cwd: string,
  problem: string,
): Promise<string | null> {
  const offlineCommand =
    family === 'go'
      ? 'go list -deps -test ./... > /dev/null'
      : family === 'rust'
        ? 'cargo fetch --offline'
        : null;
  if (offlineCommand === null) return problem;
  if (family === 'rust' && !(await copyCrates(session))) return problem;
  session.log(`${problem}. Trying with cached modules:\n$ ${offlineCommand}`);
  return (await session.fetch(offlineCommand, cwd)) === null ? null : problem;
}

/** Copies the index and archives from the user's Cargo cache. False when there are none. */
async function copyCrates({ installation: { env, stateFolder } }: InstallSession): Promise<boolean> {
  const from = join(env['CARGO_HOME'] || join(env['HOME'] ?? '/', '.cargo'), 'registry');
  const to = join(moduleEnvironment(stateFolder)['CARGO_HOME']!, 'registry');
  const there = await namesIn(from);
  if (!there.includes('cache') || !there.includes('index')) return false;
  // Existing files are kept, because Cargo may have written newer versions to Dure's index.
  await copyFiles(join(from, 'index'), join(to, 'index'), (_, own) => own !== null);
  // An archive never changes, so one whose size differs was left behind by a download that was interrupted.
  await copyFiles(join(from, 'cache'), join(to, 'cache'), (users, own) => users.size === own?.size);
  return true;
}

/**
 * Copies the files below a folder, except those for which `isPresent` returns true. Each is copied under a temporary
 * name and renamed, so that an interrupted copy leaves no incomplete file. Follows links.
 */
async function copyFiles(
  from: string,
  to: string,
  isPresent: (users: Stats, own: Stats | null) => boolean,
): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const name of await readdir(from)) {
    const [source, target] = [join(from, name), join(to, name)];
    const users = await statsOfTarget(source);
    if (users?.isDirectory()) await copyFiles(source, target, isPresent);
    if (!users?.isFile() || isPresent(users, await statsOf(target))) continue;
    const temporary = `${target}.${randomUUID().slice(0, 8)}`;
    try {
      await copyFile(source, temporary);
      await rename(temporary, target);
    } finally {
      await rm(temporary, { force: true });
    }
  }
}
