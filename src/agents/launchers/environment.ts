/**
 * The environments of what a launcher starts, which never is that of whoever happens to lead or of a tmux server that
 * has been there for days. A runner gets little, for its agent's environment is in the launch. Programs of the person
 * (the debug shell, the server) get that of the shell that asked, by way of a file: a command line is public.
 */
import { randomUUID } from 'node:crypto';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { replace } from '../../formats/file.ts';

type Variables = Readonly<Record<string, string | undefined>>;

const RUNNER = ['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'TZ', 'TERM', 'TMPDIR'];
const RUNNER_PREFIXES = ['LC_', 'XDG_'];

/** Where programs, folders and language are, and nothing secret: it may stand in a command line. */
export const runnerEnvironment = (env: Variables): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).filter(
      (e): e is [string, string] =>
        e[1] !== undefined &&
        (RUNNER.includes(e[0]) || RUNNER_PREFIXES.some(prefix => e[0].startsWith(prefix))),
    ),
  );

/** What tmux sets for each of its panes. */
const OF_THE_PANE = ['TERM', 'TMUX', 'TMUX_PANE'];

/** Writes `env` for one program of a pane, which takes the file away. Names that `sh` cannot set are left out. */
export async function writePaneEnvironment(folder: string, env: Variables): Promise<string> {
  const file = join(folder, `pane-${randomUUID().slice(0, 8)}.sh`);
  const lines = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && /^[A-Za-z_]\w*$/.test(name) && !OF_THE_PANE.includes(name)
      ? [`export ${name}=${quoted(value)}`]
      : [],
  );
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  await replace(file, `${lines.join('\n')}\n`, 0o600);
  return file;
}

/** A program of a pane in the environment of such a file; in that of the tmux server when a person starts it again. */
export const inEnvironment = (file: string, ...argv: readonly string[]): string[] => [
  'sh',
  '-c',
  '[ -r "$0" ] || exec "$@"; exec env -i TERM="$TERM" TMUX="$TMUX" TMUX_PANE="$TMUX_PANE" sh -c \'. "$0"; rm -f "$0"; exec "$@"\' "$0" "$@"',
  file,
  ...argv,
];

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;
