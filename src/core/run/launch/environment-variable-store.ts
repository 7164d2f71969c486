/**
 * Stores the environment of a run and of each launch outside the run folder. Only this user can read the files, the
 * values are stored nowhere else, and they are removed when the run is over.
 */

import { chmod, mkdir, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { namesIn, statsOfTarget } from '../../../formats/file-system/path-status.ts';
import { removeFolder } from '../../../formats/file-system/remove-folder.ts';
import { unlessDiskFails } from '../../../formats/file-system/temporary-disk-errors.ts';
import { type ProjectFiles, projectRootOf, type RunFiles, runFiles } from '../../../formats/layout.ts';
import { load, readValue, replaceJson } from '../../../formats/read-and-write-files.ts';
import { timestamp } from '../../../formats/schema/common-fields.ts';
import { defineFile } from '../../../formats/schema/define-file.ts';
import { shortHash } from '../../../formats/text/sha256.ts';
import { learnSecrets } from '../../../process/redact-secrets.ts';
import { elapsedSince } from '../../../process/timestamp-age.ts';
import { stateFolder } from '../../../workspace/user-state-folder.ts';
import type { Environment } from '../../policy/environment-allowlist.ts';
import { isOver } from '../../policy/state/phase.ts';
import { readState } from '../run-store.ts';

const FOLDER = 'environments';

const recordFile = defineFile(
  'environment.json',
  'The environment of the command that started or last resumed a run.',
  z.strictObject({
    run: z.string().describe('folder of the run'),
    taken_at: timestamp,
    variables: z.record(z.string(), z.string()),
  }),
);

/** Returns the folder for the environment of a new run. The run's options contain it, so every command finds it. */
export async function newEnvironmentFolder(files: RunFiles): Promise<string> {
  const key = shortHash(files.dir);
  return join(await stateFolder(projectRootOf(files)), FOLDER, `${basename(files.dir)}-${key}`);
}

export async function writeEnvironment(
  folder: string,
  files: RunFiles,
  variables: Environment,
): Promise<void> {
  const taken_at = new Date().toISOString();
  await replacePrivate(recordOf(folder), { run: files.dir, taken_at, variables });
}

/** Reads the environment stored in the folder; null if there is none. */
export async function readEnvironment(folder: string): Promise<Environment | null> {
  return learned((await load(recordFile, recordOf(folder)))?.variables ?? null);
}

/** Makes this process redact the secrets in `env` from now on. */
function learned(env: Environment | null): Environment | null {
  if (env) learnSecrets(env);
  return env;
}

/** Writes an environment for the runner of a launch and returns the path. */
export async function writeLaunchEnvironment(
  folder: string,
  name: `launch-${number}` | `checks-${number}`,
  variables: Environment,
): Promise<string> {
  const file = join(folder, `${name}.json`);
  await replacePrivate(file, variables);
  return file;
}

/**
 * Removes the environment of a run. The path comes from a file of the run, so it is checked before anything is
 * removed.
 */
export async function removeEnvironment(folder: string, runId: string): Promise<void> {
  if (basename(dirname(folder)) !== FOLDER || !basename(folder).startsWith(`${runId}-`)) return;
  await removeFolder(folder);
}

/** Removes the environments of runs that are over or removed, if a driver died before it could remove them. */
export async function removeLeftoverEnvironments({ root }: ProjectFiles): Promise<void> {
  const state = await stateFolder(root).catch(unlessDiskFails(null));
  if (state === null) return;
  const all = join(state, FOLDER);
  for (const name of await namesIn(all))
    if (await isLeftover(join(all, name))) await removeFolder(join(all, name));
}

/** Milliseconds after which a folder without a record counts as left over, not as being created. */
const CREATION_MS = 3_600_000;

async function isLeftover(folder: string): Promise<boolean> {
  const record = await readValue(recordFile, recordOf(folder));
  if (record) return isDone(runFiles(record.run));
  const stats = await statsOfTarget(folder);
  return stats !== null && elapsedSince(stats.mtimeMs) > CREATION_MS;
}

async function isDone(files: RunFiles): Promise<boolean> {
  const exists = await readdir(files.dir).catch((error: NodeJS.ErrnoException) => error.code !== 'ENOENT');
  if (exists === false) return true;
  const state = await readState(files).catch(unlessDiskFails(null));
  return state !== null && isOver(state) && state.open.length === 0;
}

/** Stores the environment of the shell in which the user approved, for use by git. */
export const writeApprovalEnvironment = (folder: string, variables: Environment): Promise<void> =>
  replacePrivate(approvalOf(folder), variables);

/** Null if the approval did not come from a shell. */
export const readApprovalEnvironment = async (folder: string): Promise<Environment | null> =>
  learned(await load(approvalFile, approvalOf(folder)));

const approvalFile = defineFile(
  'approval.json',
  'The environment of the shell in which the user approved.',
  z.record(z.string(), z.string()),
);
const approvalOf = (folder: string): string => join(folder, 'approval.json');

const recordOf = (folder: string): string => join(folder, 'environment.json');

async function replacePrivate(file: string, value: unknown): Promise<void> {
  const folder = dirname(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // The folder may already exist with other permissions.
  await chmod(folder, 0o700);
  await replaceJson(file, value, 0o600);
}
