/**
 * Manages prepared folders: packages installed once in a folder with only manifests, lockfile, package manager
 * configuration and patches, then copied into each tree. A prepared folder is always complete, because it is created
 * under another name and renamed; commands that run in a tree do not write to it; its name is a hash of all inputs.
 */
import { randomUUID } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isFolder, statsOfTarget } from '../../formats/file-system/path-status.ts';
import { removeFolder } from '../../formats/file-system/remove-folder.ts';
import { unlessDiskFails } from '../../formats/file-system/temporary-disk-errors.ts';
import { sha256 } from '../../formats/text/sha256.ts';
import { elapsedSince } from '../../process/timestamp-age.ts';
import { enforceLimits, STATE_LIMITS, touch } from '../prune-state-folder.ts';
import { copyFolder } from './copy-folder.ts';
import { classicEnvironment } from './install-environment.ts';
import { type Input, inputsOf } from './installation-inputs.ts';
import { printedBy } from './programs-on-path.ts';
import { type InstallSession, lockedInSession } from './sandboxed-install-session.ts';

export interface PreparedResult {
  /** Null on success: the packages are then in the tree. */
  readonly problem: string | null;
  /** Whether the folder already existed. */
  readonly reused: boolean;
  /** What could not be installed. Empty if `partial` is not set. */
  readonly missing: readonly string[];
}

export interface Preparation {
  /** Prefix of the folder's name, before the key. */
  readonly kind: string;
  /** Everything that determines the content, besides the inputs and the platform. */
  readonly key: readonly string[];
  readonly inputs: readonly Input[];
  /** Installs into the folder, which contains the inputs. Returns null on success, otherwise the problem. */
  install(folder: string): Promise<string | null>;
  /** Copies the packages into the tree. */
  copyToTree(prepared: string): Promise<void>;
  /**
   * Name of a file that marks an installation as incomplete and lists, as `missing`, what it lacks. A folder with this
   * file is recreated after `PARTIAL_MS`.
   */
  readonly partial?: string;
}

const PARTIAL_MS = 3_600_000;

/**
 * Prepares the folder, unless it exists and is up to date, and copies its packages into the tree. A lock ensures that
 * only one process at a time prepares the folder for a key.
 */
export async function copyPrepared(
  session: InstallSession,
  preparation: Preparation,
): Promise<PreparedResult> {
  const { stateFolder } = session.installation;
  const { kind, inputs } = preparation;
  const key = keyOf([
    kind,
    preparation.key,
    process.platform,
    process.arch,
    inputs.map(({ path, text }) => [path, text]),
  ]);
  const prepared = join(stateFolder, 'prepared', `${kind}-${key}`);
  return lockedInSession(session, `${prepared}.lock`, async () => {
    if (await isOutdated(prepared, preparation.partial)) await removeFolder(prepared);
    const reused = await isFolder(prepared);
    const problem = reused ? null : await create(prepared, preparation);
    if (problem !== null) return { problem, reused, missing: [] };
    await touch([prepared]);
    await preparation.copyToTree(prepared);
    if (!reused) await enforceLimits(join(stateFolder, 'prepared'), STATE_LIMITS.prepared);
    return { problem: null, reused, missing: await missingIn(prepared, preparation.partial) };
  });
}

async function isOutdated(prepared: string, partial: string | undefined): Promise<boolean> {
  const found = partial ? await statsOfTarget(join(prepared, partial)) : null;
  return found !== null && elapsedSince(found.mtimeMs) > PARTIAL_MS;
}

async function missingIn(prepared: string, partial: string | undefined): Promise<string[]> {
  const text = partial && (await readFile(join(prepared, partial), 'utf8').catch(unlessDiskFails(null)));
  return text ? (JSON.parse(text) as { missing: string[] }).missing : [];
}

async function create(prepared: string, preparation: Preparation): Promise<string | null> {
  const temporary = `${prepared}.making-${randomUUID().slice(0, 8)}`;
  try {
    await mkdir(temporary, { recursive: true });
    for (const { path, text, from } of preparation.inputs) {
      await mkdir(dirname(join(temporary, path)), { recursive: true });
      if (from === null) await writeFile(join(temporary, path), text);
      else await cp(from, join(temporary, path));
    }
    const problem = await preparation.install(temporary);
    if (problem === null) await rename(temporary, prepared);
    return problem;
  } finally {
    await removeFolder(temporary);
  }
}

/** Copies to a temporary name, then renames, so that an interrupted copy is not mistaken for a complete one. */
export async function copyInto(from: string, to: string, signal: AbortSignal): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  const temporary = join(dirname(to), `.${basename(to).replace(/^\./, '')}-${randomUUID().slice(0, 8)}`);
  try {
    await copyFolder(from, temporary, signal);
    await rename(temporary, to);
  } finally {
    await removeFolder(temporary);
  }
}

/** `folder` contains the tree's lockfile or manifest. */
export async function installPrepared(
  session: InstallSession,
  folder: string,
  command: string,
): Promise<PreparedResult> {
  const { stateFolder, env, signal } = session.installation;
  return copyPrepared(session, {
    kind: 'node',
    key: [command, ...(await versionsOf(env['PATH'] ?? '', session.programs))],
    inputs: await inputsOf(folder),
    install: making =>
      session.fetch(command, making, { writable: [making], env: classicEnvironment(stateFolder) }),
    async copyToTree(prepared) {
      for (const path of await packageFolders(prepared))
        await copyInto(join(prepared, path), join(folder, path), signal);
    },
  });
}

/** Returns the relative paths of all outermost `node_modules` folders. */
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

const keyOf = (of: object): string => sha256(JSON.stringify(of)).slice(0, 24);

const versionsByPath = new Map<string, Promise<string[]>>();

/** Returns the versions of the programs that install packages: another version may install them differently. */
function versionsOf(path: string, programs: readonly string[]): Promise<string[]> {
  const PATH = [...programs, path].join(':');
  const known =
    versionsByPath.get(PATH) ??
    Promise.all(
      ['node', 'npm', ...(programs.length > 0 ? ['yarn'] : [])].map(program =>
        printedBy(program, ['--version'], { PATH }),
      ),
    );
  versionsByPath.set(PATH, known);
  return known;
}
