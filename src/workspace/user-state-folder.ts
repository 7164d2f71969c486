/**
 * Creates Dure's own folder outside the project, for checkouts, prepared dependencies and run environments. The folder
 * belongs to the current user and is not writable by others. Its parent folders contain no files that test runners,
 * resolvers or package managers find by walking up.
 */
import { access, constants, lstat, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dureError } from '../errors.ts';
import { createFolder } from '../formats/file-system/create-folder.ts';
import { foldersAbove, isWithin } from '../formats/file-system/path-containment.ts';
import { statsOf } from '../formats/file-system/path-status.ts';

/** Files that tools look for in parent folders. */
const FOUND_BY_WALKING_UP = [
  '.git',
  'node_modules',
  'package.json',
  'pnpm-workspace.yaml',
  '.yarnrc.yml',
  '.pnp.cjs',
  'tsconfig.json',
  'babel.config.js',
  'babel.config.json',
  'jest.config.js',
  'jest.config.ts',
  'vitest.config.ts',
  'vitest.config.js',
  '.mocharc.json',
  '.mocharc.yml',
  'pyproject.toml',
  'setup.cfg',
  'tox.ini',
  'pytest.ini',
  'conftest.py',
  'go.mod',
  'go.work',
  'Cargo.toml',
];

type Env = Readonly<Record<string, string | undefined>>;

/** Creates the folder and returns its absolute path. Throws `E_STATE_FOLDER` when no candidate is usable. */
export async function stateFolder(projectRoot: string, env: Env = process.env): Promise<string> {
  const reasons: string[] = [];
  for (const folder of stateFolders(env)) {
    const problem = await problemOf(folder, projectRoot);
    if (problem === null) return realpath(folder);
    reasons.push(`${folder} ${problem}`);
  }
  throw dureError('E_STATE_FOLDER', { why: reasons.join('; ') });
}

/** Returns the candidate folders, in order of preference. */
export function stateFolders(env: Env = process.env): string[] {
  const user = process.getuid?.() ?? 0;
  return [
    ...(env['XDG_STATE_HOME'] ? [join(env['XDG_STATE_HOME'], 'dure')] : []),
    ...(env['HOME'] ? [join(env['HOME'], '.local', 'state', 'dure')] : []),
    join('/var/tmp', `dure-${user}`),
    join(tmpdir(), `dure-state-${user}`),
  ];
}

async function problemOf(folder: string, projectRoot: string): Promise<string | null> {
  try {
    await createFolder(folder, 0o700);
    const found = await lstat(folder);
    if (!found.isDirectory()) return 'is not a folder';
    if (process.getuid && found.uid !== process.getuid()) return 'belongs to another user';
    if ((found.mode & 0o022) !== 0) return 'is writable by other users';
    await access(folder, constants.W_OK);
    const [real, project] = await Promise.all([realpath(folder), realpath(projectRoot)]);
    if (isWithin(project, real)) return 'is inside the project';
    for (const above of foldersAbove(real))
      for (const name of FOUND_BY_WALKING_UP)
        if (await statsOf(join(above, name))) return `is below ${above}, which contains ${name}`;
    return null;
  } catch (error) {
    return `cannot be used: ${(error as Error).message}`;
  }
}
