/**
 * A prepared folder: packages of a project, installed once where nothing but manifests, lockfile, package manager
 * configuration and patches lie, and copied into each tree. Always true of one that is there: it is whole, for it
 * is made aside and renamed; no command of a tree has ever written in it; its name is made of all that shapes it.
 */
import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { cp, mkdir, readdir, rename, stat, utimes, writeFile } from 'node:fs/promises';
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

export interface Preparation {
  /** What the folder is called, before the key. */
  readonly kind: string;
  /** All that shapes it, besides the inputs and the platform. */
  readonly key: readonly string[];
  readonly inputs: readonly Input[];
  /** Fills the folder, which holds the inputs. What went wrong, or null. */
  make(folder: string): Promise<string | null>;
  /** Copies what is needed into the tree. */
  use(prepared: string): Promise<void>;
  /** A file in the folder that says that it is not all that was wanted: then it is made anew after a while. */
  readonly partial?: string;
}

const PARTIAL_MS = 3_600_000;

/** One at a time for each key, in all processes. */
export async function fromPrepared(session: Session, wanted: Preparation): Promise<FromPrepared> {
  const { stateFolder } = session.installation;
  const { kind, inputs } = wanted;
  const key = keyOf([
    kind,
    wanted.key,
    process.platform,
    process.arch,
    inputs.map(({ path, text }) => [path, text]),
  ]);
  const prepared = join(stateFolder, 'prepared', `${kind}-${key}`);
  return locked(`${prepared}.lock`, async () => {
    if (await isOutdated(prepared, wanted.partial)) await erase(prepared);
    const reused = await isFolder(prepared);
    const problem = reused ? null : await make(prepared, wanted);
    if (problem !== null) return { problem, reused };
    const now = new Date();
    await utimes(prepared, now, now);
    await wanted.use(prepared);
    if (!reused) await removeOldPrepared(join(stateFolder, 'prepared'), basename(prepared));
    return { problem: null, reused };
  });
}

async function isOutdated(prepared: string, partial: string | undefined): Promise<boolean> {
  const found = partial && (await stat(join(prepared, partial)).catch(() => null));
  return Boolean(found) && Date.now() - (found as Stats).mtimeMs > PARTIAL_MS;
}

async function make(prepared: string, wanted: Preparation): Promise<string | null> {
  const making = `${prepared}.making-${randomUUID().slice(0, 8)}`;
  try {
    await mkdir(making, { recursive: true });
    for (const { path, text, from } of wanted.inputs) {
      await mkdir(dirname(join(making, path)), { recursive: true });
      if (from === null) await writeFile(join(making, path), text);
      else await cp(from, join(making, path));
    }
    const problem = await wanted.make(making);
    if (problem === null) await rename(making, prepared);
    return problem;
  } finally {
    await erase(making);
  }
}

/** A copy that was cut off must not be taken for an installation: it is made aside. */
export async function copyInto(from: string, to: string, signal: AbortSignal): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  const copying = join(dirname(to), `.${basename(to).replace(/^\./, '')}-${randomUUID().slice(0, 8)}`);
  await copyFolder(from, copying, signal);
  await rename(copying, to);
}

/** `folder` is where the tree's lockfile or manifest lies. */
export async function installPrepared(
  session: Session,
  folder: string,
  command: string,
): Promise<FromPrepared> {
  const { stateFolder, env, signal } = session.installation;
  return fromPrepared(session, {
    kind: 'node',
    key: [command, ...(await versionsOf(env['PATH'] ?? '', session.programs))],
    inputs: await inputsOf(folder),
    make: making =>
      session.fetch(command, making, { writable: [making], env: classicEnvironment(stateFolder) }),
    async use(prepared) {
      for (const path of await packageFolders(prepared))
        await copyInto(join(prepared, path), join(folder, path), signal);
    },
  });
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
