/**
 * Runs git; all git calls go through this module. The repository and the work tree are passed explicitly, so a
 * changed `.git` pointer has no effect. Hooks, fsmonitor, prompts and pagers are off. The only `GIT_*` variables
 * inherited are those for the author and the committer. A git process that hangs is killed with its children.
 * Failures are `E_GIT`, `E_GIT_PROGRAM`, `E_GIT_MISSING` or `E_DISK`.
 *
 * Code that reads or writes an agent's files uses isolated-git.ts instead, which also excludes configured programs.
 */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { devNull } from 'node:os';
import { dureError } from '../../errors.ts';
import { printedDiskError, unlessDiskFails } from '../../formats/file-system/temporary-disk-errors.ts';
import { pickVariables } from '../../process/pick-variables.ts';
import { type ProgramEnd, type ProgramOptions, runProgram } from '../../process/run-program.ts';
import { staleLock } from './stale-locks.ts';

/** The repository of a project. All paths are absolute. */
export interface Repository {
  /** Contains HEAD and the index of the user's working tree. */
  readonly gitDir: string;
  /** Contains objects and refs. The same as `gitDir`, unless the user's working tree is itself a linked worktree. */
  readonly commonDir: string;
  /** Top folder of the user's working tree. */
  readonly workTree: string;
  /** Path of the project below the top, e.g. `packages/web/`, or an empty string. */
  readonly prefix: string;
  /** Whether Dure created this repository because the project has none. */
  readonly shadow: boolean;
  /** Filter settings (`filter.*`, `lfs.*`) as they were when the run began. */
  readonly filters?: Readonly<Record<string, string>> | undefined;
  /** Where isolated git stores new objects, if not in the repository. */
  readonly newObjects?: string;
  /** Environment of the user for whom git runs; if absent, that of this process. */
  readonly shell?: Readonly<Record<string, string>>;
}

export interface GitOptions extends Pick<ProgramOptions, 'input' | 'into'> {
  readonly env?: Readonly<Record<string, string>>;
  /** Replaces the environment of this process (see `Repository`). */
  readonly shell?: Repository['shell'];
  readonly cwd?: string;
  /** Time limit in milliseconds. Default: `LIMIT_MS`. */
  readonly limitMs?: number;
}

/** Long, because the user's filters may download large files. */
const LIMIT_MS = 600_000;

const SETTINGS = [
  `core.hooksPath=${devNull}`,
  'core.fsmonitor=false',
  'core.fsync=committed,reference',
  // Flush once for all objects of a command. Git versions before 2.36 ignore this setting and `core.fsync`.
  'core.fsyncMethod=batch',
  'core.filesRefLockTimeout=5000',
  'core.pager=cat',
  'gc.auto=0',
  'maintenance.auto=false',
  'diff.ignoreSubmodules=dirty',
  'advice.detachedHead=false',
  'advice.graftFileDeprecated=false',
  'protocol.ext.allow=never',
].flatMap(setting => ['-c', setting]);

/** The `GIT_*` variables that are kept: they cannot point git to another repository or program. */
const NAMES = /^GIT_(AUTHOR|COMMITTER)_(NAME|EMAIL)$/;

/** Returns the user's environment without most `GIT_*` variables. */
export function cleanEnv(
  more: Readonly<Record<string, string>> = {},
  shell: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string> {
  return {
    ...pickVariables(shell, name => !name.startsWith('GIT_') || NAMES.test(name)),
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    // The refs under refs/replace and the file info/grafts would replace sealed objects with others.
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_GRAFT_FILE: devNull,
    // Reading the user's working tree must not modify its index.
    GIT_OPTIONAL_LOCKS: '0',
    ...more,
  };
}

/** Makes Dure the author and committer at a given time, so that the same content gives the same commit id. */
export function signedByDure(date: string): Record<string, string> {
  const at = `@${Math.floor(Date.parse(date) / 1000)} +0000`;
  return {
    GIT_AUTHOR_NAME: 'Dure',
    GIT_AUTHOR_EMAIL: 'dure@localhost',
    GIT_AUTHOR_DATE: at,
    GIT_COMMITTER_NAME: 'Dure',
    GIT_COMMITTER_EMAIL: 'dure@localhost',
    GIT_COMMITTER_DATE: at,
  };
}

/**
 * Runs git and returns its exit code and output. Rejects only if git cannot be started or its output cannot be
 * written.
 */
export const runGit = (args: readonly string[], options: GitOptions = {}): Promise<ProgramEnd> =>
  run('git', [...SETTINGS, ...args], options, error => gitFailure(args, error, options.cwd));

/** Like `runGit`, in this repository, but without its work tree. */
export const runGitIn = (
  { gitDir }: Repository,
  args: readonly string[],
  options?: GitOptions,
): Promise<ProgramEnd> => runGit([`--git-dir=${gitDir}`, ...args], options);

/** Runs ssh-keygen. Rejects only if it cannot be started. */
export const runSshKeygen = (args: readonly string[], options: GitOptions): Promise<ProgramEnd> =>
  run('ssh-keygen', args, options, error => new Error(`ssh-keygen: ${error}`));

/**
 * Reads a git setting as it applies to the user in this folder; null if it is not set. `type` is an option of
 * `git config`, such as `--type=path`.
 */
export const gitSetting = async (cwd: string, key: string, ...type: string[]): Promise<string | null> =>
  (await printedIn(cwd, ['config', ...type, '--get', key]))?.trim() || null;

/** Returns what git prints in a folder; null if it fails, for example because the folder is not in a repository. */
export async function printedIn(
  cwd: string,
  args: readonly string[],
  options: Pick<GitOptions, 'input'> = {},
): Promise<string | null> {
  const answer = await runGit(args, { ...options, cwd }).catch(unlessDiskFails(null));
  return answer?.code === 0 ? answer.stdout.toString() : null;
}

/**
 * Runs a hook as git does, without looking at `core.hooksPath`. A shell starts it, so, as in git, a script
 * without a `#!` line also runs. The hook's output goes to the file `output`: a process that the hook leaves
 * behind may keep it open.
 */
export const runHook = (
  file: string,
  args: readonly string[],
  output: string,
  options: GitOptions,
): Promise<ProgramEnd> =>
  run('sh', ['-c', 'out=$1; shift; "$0" "$@" > "$out" 2>&1', file, output, ...args], options, error =>
    dureError('E_GIT', { command: file, stderr: error }),
  );

const run = (
  program: string,
  args: readonly string[],
  { env, shell, cwd = process.cwd(), limitMs = LIMIT_MS, ...more }: GitOptions,
  failure: (why: string) => Error,
): Promise<ProgramEnd> =>
  runProgram(program, args, {
    ...more,
    cwd,
    limitMs,
    env: cleanEnv(env, shell),
    notStarted(error) {
      const isMissing = program === 'git' && error.code === 'ENOENT' && existsSync(cwd);
      return isMissing ? dureError('E_GIT_MISSING') : failure(`${error.message} in ${cwd}`);
    },
  });

/**
 * Returns `E_DISK` if git failed because of the disk, `E_GIT_PROGRAM` if a program that git runs is missing, otherwise
 * `E_GIT`.
 */
export function gitFailure(args: readonly string[], stderr: string, folder = process.cwd()) {
  const command = args.find(arg => !arg.startsWith('-')) ?? '';
  // How a shell reports a missing program: `git-lfs filter-process: 1: git-lfs: not found`.
  const [, program] = /: (?:line )?\d+: (\S+): (?:command )?not found$/m.exec(stderr) ?? [];
  return (
    printedDiskError(folder, stderr) ??
    (program ? dureError('E_GIT_PROGRAM', { command, program }) : dureError('E_GIT', { command, stderr }))
  );
}

/** Git itself waits for a lock (see `core.filesRefLockTimeout`), so a lock that makes git fail is stale. */
async function runIn(repo: Repository, args: readonly string[], options: GitOptions): Promise<ProgramEnd> {
  const { gitDir, workTree: cwd, shell } = repo;
  const command = [`--git-dir=${gitDir}`, `--work-tree=${cwd}`, ...args];
  for (const removed = new Set<string>(); ; ) {
    const answer = await runGit(command, { cwd, shell, ...options });
    const lock = answer.code === 0 ? null : staleLock(repo, answer.stderr);
    if (lock === null || removed.has(lock)) return answer;
    removed.add(lock);
    await rm(lock, { recursive: true, force: true }).catch(() => {});
  }
}

/** Runs git and returns stdout as bytes. */
export async function gitBytes(
  repo: Repository,
  args: readonly string[],
  options: GitOptions = {},
): Promise<Buffer> {
  const answer = await runIn(repo, args, options);
  if (answer.code !== 0) throw gitFailure(args, answer.stderr || `exit code ${answer.code}`, repo.gitDir);
  return answer.stdout;
}

/** Runs git and returns stdout without the trailing newline. */
export const git = async (
  repo: Repository,
  args: readonly string[],
  options: GitOptions = {},
): Promise<string> => printed(await gitBytes(repo, args, options));

/** Returns null for exit code 1, which means "no" in git. Any other failure is thrown. */
export async function askGit(
  repo: Repository,
  args: readonly string[],
  options: GitOptions = {},
): Promise<string | null> {
  const answer = await runIn(repo, args, options);
  if (answer.code === 0) return printed(answer.stdout);
  if (answer.code === 1) return null;
  throw gitFailure(args, answer.stderr || `exit code ${answer.code}`, repo.gitDir);
}

/**
 * Returns the id of the object that a revision names, as in `HEAD^{commit}` or `<commit>:<path>`; null if there is
 * none.
 */
export const revParse = (repo: Repository, revision: string): Promise<string | null> =>
  askGit(repo, ['rev-parse', '--verify', '--quiet', '--end-of-options', revision]);

const printed = (stdout: Buffer): string => stdout.toString().replace(/\n$/, '');

/** Splits the output of `git … -z` into entries. */
export const zSplit = (text: string): string[] => text.split('\0').filter(entry => entry !== '');

/** Splits an entry of `git ls-tree -z` or `ls-files --stage -z`: fields, a tab, and a path that may contain tabs. */
export function entryOf(printed: string): { readonly fields: readonly string[]; readonly path: string } {
  const at = printed.indexOf('\t');
  return { fields: printed.slice(0, at).split(/ +/), path: printed.slice(at + 1) };
}
export const zJoin = (entries: readonly string[]): string => entries.map(entry => `${entry}\0`).join('');
