/**
 * If the registries cannot be reached, uses Go modules and Cargo crates that the user has already downloaded. Checksums
 * in go.sum and Cargo.lock are verified as usual.
 */
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { namesIn, statsOf } from '../../formats/file-system/path-status.ts';
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
  await cp(join(from, 'index'), join(to, 'index'), { recursive: true, force: false });
  await cp(join(from, 'cache'), join(to, 'cache'), { recursive: true, filter: isFolderOrOtherSize });
  return true;
}

/** An archive never changes, so one whose size differs was left behind by a copy that was interrupted. */
async function isFolderOrOtherSize(source: string, target: string): Promise<boolean> {
  const [from, to] = await Promise.all([statsOf(source), statsOf(target)]);
  return from?.isDirectory() || from?.size !== to?.size;
}
