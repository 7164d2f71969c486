/**
 * A prepared folder: the `node_modules` of a project, installed once where nothing but manifests, lockfile, package
 * manager configuration and patches lie, and copied into each tree. Always true of one that is there: it is whole, for it
 * is made aside and renamed; no command of a tree has ever written in it; its name is made of all that shapes it.
 */
import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { cp, mkdir, readdir, rename, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { erase } from '../../process/erase.ts';
import { locked } from '../lock.ts';
import { copyFolder, isFolder } from './copy.ts';
import { classicEnvironment } from './environment.ts';
import { type Input, inputsOf } from './prepared-inputs.ts';
import { removeOldPrepared } from './prepared-limits.ts';
import type { Session } from './session.ts';

export interface FromPrepared {
  /** Null when the packages are in the tree. */
  readonly problem: string | null;
  /** The folder was there already. */
  readonly reused: boolean;
}

/** `folder` is where the tree's lockfile or manifest lies. */
export async function installPrepared(
  session: Session,
  folder: string,
  command: string,
): Promise<FromPrepared> {
  const { stateFolder, env, signal } = session.installation;
  const inputs = await inputsOf(folder);
  const versions = await versionsOf(env['PATH'] ?? '', session.programs);
  const key = keyOf({ command, versions, platform: [process.platform, process.arch], inputs });
  const prepared = join(stateFolder, 'prepared', `node-${key}`);
  return locked(`${prepared}.lock`, async () => {
    const reused = await isFolder(prepared);
    if (!reused) {
      const problem = await make(session, prepared, inputs, command);
      if (problem !== null) return { problem, reused };
    }
    const now = new Date();
    await utimes(prepared, now, now);
    for (const path of await packageFolders(prepared)) {
      const parent = dirname(join(folder, path));
      await mkdir(parent, { recursive: true });
      // Aside first: a copy that was cut off must not be taken for an installation.
      const copying = join(parent, `.node_modules-${randomUUID().slice(0, 8)}`);
      await copyFolder(join(prepared, path), copying, signal);
      await rename(copying, join(folder, path));
    }
    if (!reused) await removeOldPrepared(join(stateFolder, 'prepared'), basename(prepared));
    return { problem: null, reused };
  });
}

async function make(
  session: Session,
  prepared: string,
  inputs: readonly Input[],
  command: string,
): Promise<string | null> {
  const making = `${prepared}.making-${randomUUID().slice(0, 8)}`;
  try {
    for (const { path, text, from } of inputs) {
      await mkdir(dirname(join(making, path)), { recursive: true });
      if (from === null) await writeFile(join(making, path), text);
      else await cp(from, join(making, path));
    }
    const problem = await session.fetch(command, making, {
      writable: [making],
      env: classicEnvironment(session.installation.stateFolder),
    });
    if (problem !== null) return problem;
    // A project without dependencies has no packages; the folder then says that this was seen.
    await rename(making, prepared);
    return null;
  } finally {
    await erase(making);
  }
}

/** All topmost `node_modules`, relative. */
async function packageFolders(top: string, below = ''): Promise<string[]> {
  const entries = await readdir(join(top, below), { withFileTypes: true });
  const found = await Promise.all(
    entries
      .filter(entry => entry.isDirectory())
      .map(({ name }) =>
        name === 'node_modules' ? [join(below, name)] : packageFolders(top, join(below, name)),
      ),
  );
  return found.flat().sort();
}

const keyOf = (of: object): string =>
  createHash('sha256').update(JSON.stringify(of)).digest('hex').slice(0, 24);

const asked = new Map<string, Promise<string[]>>();

/** What installs, as it calls itself: another version may install otherwise. */
function versionsOf(path: string, programs: readonly string[]): Promise<string[]> {
  const PATH = [...programs, path].join(':');
  const known =
    asked.get(PATH) ??
    Promise.all(
      ['node', 'npm', ...(programs.length > 0 ? ['yarn'] : [])].map(
        program =>
          new Promise<string>(resolve => {
            execFile(program, ['--version'], { env: { PATH }, cwd: '/', timeout: 30_000 }, (error, stdout) =>
              resolve(error ? 'none' : stdout.trim()),
            );
          }),
      ),
    );
  asked.set(PATH, known);
  return known;
}
