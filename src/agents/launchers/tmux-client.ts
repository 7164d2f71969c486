/**
 * Client of the project's own tmux server, with a socket in a private folder and without the user's tmux configuration.
 * Commands are argument lists; no shell or tmux format ever parses a path.
 */
import { execFile, execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { dureError } from '../../errors.ts';
import { shortHash } from '../../formats/text/sha256.ts';
import { runnerEnvironment } from './runner-environment.ts';

/** Milliseconds to wait for tmux and its server, which normally answer within a few. */
const LIMIT_MS = 20_000;

export function hasTmux(): boolean {
  try {
    const version = execFileSync('tmux', ['-V'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: LIMIT_MS,
    });
    const major = /tmux (?:next-)?(\d+)\./.exec(version)?.[1];
    return major === undefined || Number(major) >= 3;
  } catch {
    return false;
  }
}

/**
 * Socket of the project's tmux server. Always below `/tmp`: every terminal must find the same one regardless of its
 * TMPDIR, and a logout deletes XDG_RUNTIME_DIR while the server is still running. Short, because a socket path is
 * limited to about 100 characters.
 */
export const socketOf = (project: string): string => join(socketFolder(), shortHash(real(project)));

const uid = (): number => process.getuid?.() ?? 0;
const socketFolder = (): string => `/tmp/dure-${uid()}`;

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/**
 * Any process with access to the socket can type into the panes. The folder must therefore not be a link, and must
 * belong to this user and be inaccessible to others.
 */
export function ensurePrivateFolder(folder: string = socketFolder()): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Whatever exists there, even a broken link, is checked below.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const found = lstatSync(folder);
  const why = !found.isDirectory()
    ? 'is not a folder'
    : found.uid !== uid()
      ? 'belongs to another user'
      : found.mode & 0o077
        ? 'is accessible to other users'
        : null;
  if (why) throw dureError('E_TMUX', { why: `${folder}, which holds the tmux socket, ${why}` });
}

export interface Tmux {
  readonly socket: string;
  /** Runs commands atomically, one after the other, and returns their output. */
  run(...commands: readonly (readonly string[])[]): Promise<string>;
}

/** Messages printed when the tmux server exited during the call; a retry starts a new one. */
const SERVER_GONE = /server exited|lost server|no server running|error connecting to/;
/** Messages for a missing target. */
const NOT_THERE = /can't find (?:session|window|pane)|no such session|no current (?:session|target)/;

/** Null if the target or the server is gone. */
export const unlessAbsent = (output: Promise<string>): Promise<string | null> =>
  output.catch((error: Error) => {
    if (SERVER_GONE.test(error.message) || NOT_THERE.test(error.message)) return null;
    throw error;
  });

export function tmuxAt(socket: string, cwd: string, timeout: number = LIMIT_MS): Tmux {
  // If this call starts the server, the server keeps this environment and passes it to every pane that the user opens.
  const env = runnerEnvironment();
  return {
    socket,
    run: (...commands) =>
      new Promise((resolve, reject) => {
        const argv = ['-u', '-S', socket, '-f', '/dev/null', ...joined(commands)];
        const limits = { timeout, killSignal: 'SIGKILL' } as const;
        execFile('tmux', argv, { cwd, env, encoding: 'utf8', ...limits }, (error, stdout, stderr) => {
          if (!error) return resolve(stdout);
          const missing = error.code === 'ENOENT';
          const why = missing
            ? 'tmux was not found on PATH'
            : error.killed
              ? `the server at ${socket} has not answered for ${timeout / 1000} seconds. Kill its process; the next start creates a new server`
              : stderr.trim() || error.message;
          reject(dureError('E_TMUX', { why }, { cause: error }));
        });
      }),
  };
}

/** tmux treats a trailing `;` in an argument as the end of the command unless it is escaped with a backslash. */
const joined = (commands: readonly (readonly string[])[]): string[] =>
  commands.flatMap((command, i) => [
    ...(i > 0 ? [';'] : []),
    ...command.map(argument => argument.replace(/;$/, '\\;')),
  ]);

/**
 * Makes tmux start a program without a shell: tmux passes a single argument to `sh`, but executes several directly.
 */
export const tmuxProgram = (...argv: readonly string[]): string[] => ['env', ...argv];
