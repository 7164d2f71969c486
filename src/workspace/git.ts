/**
 * The one way Dure calls git. Always true here: the repository and the work tree are named, never discovered, so a
 * changed `.git` pointer leads nowhere; hooks, fsmonitor, prompts, pagers, external diff and textconv are off; nothing
 * of `GIT_*` is inherited; a git that hangs is ended with all it started; what goes wrong is `E_GIT` or `E_GIT_MISSING`.
 *
 * What reads or writes files an agent made uses a clean room (room.ts) on top, in which no configured program exists.
 */
import { spawn } from 'node:child_process';
import { createWriteStream, existsSync } from 'node:fs';
import { devNull } from 'node:os';
import { pipeline } from 'node:stream/promises';
import { dureError } from '../errors.ts';
import { endAfter, tooLong } from './limit.ts';

/** Where the work of a project is kept. All paths are absolute. */
export interface Repository {
  /** Holds HEAD and index of the person's checkout. */
  readonly gitDir: string;
  /** Holds objects and refs: the same as `gitDir`, unless the person's checkout is itself a linked worktree. */
  readonly commonDir: string;
  /** The top of the person's checkout. */
  readonly workTree: string;
  /** The project below the top, as `packages/web/`, or an empty string. */
  readonly prefix: string;
  /** True for a repository that Dure keeps because the project has none of its own. */
  readonly shadow: boolean;
}

export interface GitOptions {
  /** May still be in the making: git is started meanwhile, and ended when there will be none. */
  readonly input?: string | Buffer | Promise<string>;
  /** File that takes what git prints: a patch may be larger than memory, or than a string can be. */
  readonly into?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Milliseconds it may take. Default: `LIMIT_MS`. */
  readonly limitMs?: number;
}
export interface GitAnswer {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** The person's filters may fetch large files meanwhile. */
const LIMIT_MS = 600_000;

const SETTINGS = [
  `core.hooksPath=${devNull}`,
  'core.fsmonitor=false',
  'core.fsync=committed,reference',
  'core.filesRefLockTimeout=5000',
  'core.pager=cat',
  'commit.gpgSign=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'diff.ignoreSubmodules=dirty',
  'advice.detachedHead=false',
  'protocol.ext.allow=never',
].flatMap(setting => ['-c', setting]);

const DURE = { name: 'Dure', email: 'dure@localhost' };

/** The environment of the person without what would point git elsewhere. */
export function cleanEnv(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  const inherited = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith('GIT_'),
  );
  return {
    ...Object.fromEntries(inherited),
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    // A look at the person's checkout must not rewrite its index.
    GIT_OPTIONAL_LOCKS: '0',
    ...more,
  };
}

/** Makes a commit Dure's own, at a given time, so that the same content gives the same commit id. */
export const signedByDure = (date: string): Record<string, string> => ({
  GIT_AUTHOR_NAME: DURE.name,
  GIT_AUTHOR_EMAIL: DURE.email,
  GIT_COMMITTER_NAME: DURE.name,
  GIT_COMMITTER_EMAIL: DURE.email,
  ...dated(date),
});

export function dated(date: string): Record<string, string> {
  const at = `@${Math.floor(Date.parse(date) / 1000)} +0000`;
  return { GIT_AUTHOR_DATE: at, GIT_COMMITTER_DATE: at };
}

/** Runs git as it stands: any exit code is an answer. Only the absence of git is an error. */
export function runGit(args: readonly string[], options: GitOptions = {}): Promise<GitAnswer> {
  const { cwd = process.cwd(), limitMs = LIMIT_MS } = options;
  return new Promise((resolve, reject) => {
    const child = spawn('git', [...SETTINGS, ...args], {
      cwd,
      env: cleanEnv(options.env),
      windowsHide: true,
      // A group of its own, which can be ended as a whole.
      detached: true,
    });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    if (options.into === undefined) child.stdout.on('data', chunk => out.push(chunk));
    const kept = options.into && pipeline(child.stdout, createWriteStream(options.into));
    const taken = Promise.resolve(kept).then(() => {}, reject);
    child.stderr.on('data', chunk => err.push(chunk));
    child.on('error', error => {
      const missing = (error as NodeJS.ErrnoException).code === 'ENOENT' && existsSync(cwd);
      reject(missing ? dureError('E_GIT_MISSING') : failed(args, `${error.message} in ${cwd}`));
    });
    const answer = (code: number | null, otherwise: string) => {
      const stderr = Buffer.concat(err).toString().trim() || otherwise;
      resolve({ code: code ?? -1, stdout: Buffer.concat(out), stderr });
    };
    child.on('close', async (code, signal) => {
      await taken;
      answer(code, signal ? `ended by ${signal}` : '');
    });
    endAfter(child, limitMs, () => {
      if (child.exitCode === null) err.push(Buffer.from(`\n${tooLong(limitMs)}`));
      answer(child.exitCode, '');
    });
    // Git may end before it has read everything; its exit code says why.
    child.stdin.on('error', () => {});
    const feed = (input: string | Buffer) => child.stdin.end(input);
    if (options.input instanceof Promise) options.input.then(feed, () => child.kill());
    else feed(options.input ?? '');
  });
}

const failed = (args: readonly string[], stderr: string) =>
  dureError('E_GIT', { command: args.find(arg => !arg.startsWith('-')) ?? '', stderr });

const placed = (repo: Repository, args: readonly string[]) => [
  `--git-dir=${repo.gitDir}`,
  `--work-tree=${repo.workTree}`,
  ...args,
];
const inside = (repo: Repository, options: GitOptions): GitOptions => ({ cwd: repo.workTree, ...options });

/** What git printed, as bytes. */
export async function gitBytes(
  repo: Repository,
  args: readonly string[],
  options: GitOptions = {},
): Promise<Buffer> {
  const answer = await runGit(placed(repo, args), inside(repo, options));
  if (answer.code !== 0) throw failed(args, answer.stderr || `exit code ${answer.code}`);
  return answer.stdout;
}

/** What git printed, without the newline at its end. */
export const git = async (
  repo: Repository,
  args: readonly string[],
  options: GitOptions = {},
): Promise<string> => printed(await gitBytes(repo, args, options));

/** For questions to which git may say no, which is exit code 1: null. Any other failure is no answer, but an error. */
export async function askGit(
  repo: Repository,
  args: readonly string[],
  options: GitOptions = {},
): Promise<string | null> {
  const answer = await runGit(placed(repo, args), inside(repo, options));
  if (answer.code === 0) return printed(answer.stdout);
  if (answer.code === 1) return null;
  throw failed(args, answer.stderr || `exit code ${answer.code}`);
}

const printed = (stdout: Buffer): string => stdout.toString().replace(/\n$/, '');

/** The entries of a list that git printed with `-z`. */
export const zSplit = (text: string): string[] => text.split('\0').filter(entry => entry !== '');
export const zJoin = (entries: readonly string[]): string => entries.map(entry => `${entry}\0`).join('');
