/**
 * Talking to the one tmux server of a project: own socket in a folder that is closed to others, nothing of the
 * person's tmux configuration. Commands go out as argument lists; no shell and no format ever reads a path.
 */
import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { dureError } from '../../errors.ts';
import { runnerEnvironment } from './environment.ts';

export function hasTmux(): boolean {
  try {
    const said = execFileSync('tmux', ['-V'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    const major = /tmux (?:next-)?(\d+)\./.exec(said)?.[1];
    return major === undefined || Number(major) >= 3;
  } catch {
    return false;
  }
}

/**
 * Socket of the project's tmux server. Always below `/tmp`: every terminal must find the same one, whatever its
 * TMPDIR, and a logout empties XDG_RUNTIME_DIR under a server that lives on. Short, for a socket's path may not
 * have more than about 100 characters.
 */
export const socketOf = (project: string): string =>
  join(socketFolder(), createHash('sha256').update(real(project)).digest('hex').slice(0, 16));

const uid = (): number => process.getuid?.() ?? 0;
const socketFolder = (): string => `/tmp/dure-${uid()}`;

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Whoever can reach the socket can type into our panes: the folder must be a real one, ours, and closed to others. */
export function closeToOthers(folder: string = socketFolder()): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  const why = !found.isDirectory()
    ? 'is not a folder'
    : found.uid !== uid()
      ? 'belongs to somebody else'
      : found.mode & 0o077
        ? 'is open to others'
        : null;
  if (why) throw dureError('E_TMUX', { why: `${folder}, where the socket belongs, ${why}` });
}

export interface Tmux {
  readonly socket: string;
  /** Runs commands one after the other as a whole, and gives what they print. */
  run(...commands: readonly (readonly string[])[]): Promise<string>;
}

/** How the tmux server ended while we spoke to it: the next attempt starts a new one. */
const SERVER_GONE = /server exited|lost server|no server running|error connecting to/;
/** What a target that is not there sounds like. */
const NOT_THERE = /can't find (?:session|window|pane)|no such session|no current (?:session|target)/;

export const isAbsent = (error: unknown): boolean =>
  error instanceof Error && (SERVER_GONE.test(error.message) || NOT_THERE.test(error.message));

/** Milliseconds a server has for an answer, which takes it a few. */
const LIMIT_MS = 20_000;

export function tmuxAt(socket: string, cwd: string, timeout: number = LIMIT_MS): Tmux {
  // The server that this may start keeps it for good, and shows it in every pane that a person opens.
  const env = runnerEnvironment(process.env);
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
            ? 'the program tmux was not found'
            : error.killed
              ? `the server at ${socket} has not answered for ${timeout / 1000} seconds. End its process; the next start makes a new one`
              : stderr.trim() || error.message;
          reject(dureError('E_TMUX', { why }, { cause: error }));
        });
      }),
  };
}

/** tmux takes a `;` at the end of an argument for the end of a command, unless a backslash stands before it. */
const joined = (commands: readonly (readonly string[])[]): string[] =>
  commands.flatMap((command, i) => [
    ...(i > 0 ? [';'] : []),
    ...command.map(argument => argument.replace(/;$/, '\\;')),
  ]);

/**
 * A program as tmux starts it without a shell: only several arguments are taken as they are, a single one would be
 * read by `sh`.
 */
export const program = (...argv: readonly string[]): string[] => ['env', ...argv];
