/** Checks git, tmux, the sandbox, disk space and file watching on this machine. */
import { existsSync, watch } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ensurePrivateFolder, hasTmux, tmuxAt } from '../agents/launchers/tmux-client.ts';
import { dureError } from '../errors.ts';
import { expectRoom, freeSpace, LITTLE_SPACE } from '../formats/file-system/free-space.ts';
import { temporaryFolder } from '../formats/file-system/temporary-folder.ts';
import { findSandbox } from '../process/sandbox/find-sandbox.ts';
import type { Env } from '../process/sandbox/toolchain.ts';
import { runGit } from '../workspace/git/run-git.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

/** `worktree repair` and `--path-format` need this version. */
const OLDEST_GIT = [2, 31];

export async function examineGit(): Promise<Finding> {
  const { stdout } = await runGit(['--version']);
  const version = /\d+(\.\d+)+/.exec(stdout.toString())?.[0] ?? '';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [least = 0, leastMinor = 0] = OLDEST_GIT;
  return major > least || (major === least && minor >= leastMinor)
    ? ok('git', w => w.git(version))
    : problem('git', w => w.gitTooOld(version));
}

/** Checks that tmux can open a session, on a separate socket. */
export async function examineTmux(): Promise<Finding> {
  if (!hasTmux()) return warning('tmux', w => w.noTmux());
  ensurePrivateFolder();
  const folder = await mkdtemp('/tmp/dure-doctor-');
  try {
    const tmux = tmuxAt(join(folder, 'tmux'), folder);
    const version = await tmux.run(
      ['new-session', '-d', '-x', '80', '-y', '24', 'sh', '-c', 'sleep 60'],
      ['display-message', '-p', '#{version}'],
    );
    await tmux.run(['kill-server']);
    return ok('tmux', w => w.tmux(version.trim()));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export async function examineSandbox(env: Env): Promise<Finding> {
  const sandbox = await findSandbox(env);
  return sandbox.kind === 'none'
    ? warning('sandbox', w => w.noSandbox(sandbox.why))
    : ok('sandbox', w => w.sandbox(sandbox.program));
}

/** If a sandbox would work here, warns that the project's agents run without one; otherwise returns nothing. */
export async function examineUnusedSandbox(env: Env): Promise<Finding[]> {
  const sandbox = await findSandbox(env);
  return sandbox.kind === 'none' ? [] : [warning('agent-sandbox', w => w.unusedSandbox())];
}

/** Bytes of free space below which to warn: installed packages and several checkouts easily need this much. */
const COMFORTABLE = 2_000_000_000;

export async function examineDisk(folders: readonly string[]): Promise<Finding> {
  const free = await Promise.all(folders.map(freeSpace));
  const least = Math.min(...free);
  const folder = folders[free.indexOf(least)]!;
  if (least < LITTLE_SPACE) return problem('disk', w => w.littleSpace(folder, least));
  return least < COMFORTABLE
    ? warning('disk', w => w.littleSpace(folder, least))
    : ok('disk', w => w.space(folder, least));
}

/** Writes a small file into each folder, or into its nearest parent that exists. Throws `E_DISK`. */
export async function examineFolders(folders: readonly string[]): Promise<Finding> {
  for (const folder of new Set(folders.map(nearestFolder))) await expectRoom(folder);
  return ok('folders', w => w.folders(folders));
}

const nearestFolder = (path: string): string => (existsSync(path) ? path : nearestFolder(dirname(path)));

/** Checks that folders can be watched. Without watches, a run checks its files once a second. */
export async function examineWatches(): Promise<Finding> {
  const folder = await temporaryFolder('dure-doctor-');
  try {
    watch(folder).close();
    return ok('file-watching', w => w.watches());
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!['ENOSPC', 'EMFILE', 'ENFILE'].includes(code))
      throw dureError('E_DISK', { file: folder, why: (error as Error).message });
    return warning('file-watching', w => w.noWatches(code));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
