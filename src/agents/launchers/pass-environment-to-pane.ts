/**
 * Starts the debug shell and the ACE server in their panes with the environment of the shell that called Dure, not with
 * that of the leader or of an old tmux server. Passes it through a file, because command lines are public.
 */
import { randomUUID } from 'node:crypto';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { replace } from '../../formats/read-and-write-files.ts';
import { singleQuoted } from '../../formats/text/shell-words.ts';

/** Set by tmux in each pane. */
const OF_THE_PANE = ['TERM', 'TMUX', 'TMUX_PANE'];

/** Writes `env` to a file that one program in a pane reads and deletes. Skips names that `sh` cannot set. */
export async function writePaneEnvironment(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const file = join(folder, `pane-${randomUUID().slice(0, 8)}.sh`);
  const lines = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && /^[A-Za-z_]\w*$/.test(name) && !OF_THE_PANE.includes(name)
      ? [`export ${name}=${singleQuoted(value)}`]
      : [],
  );
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  await replace(file, `${lines.join('\n')}\n`, 0o600);
  return file;
}

/**
 * Returns a command that starts a pane's program with the environment in `file`. If the user restarts the program, the
 * file is gone, and the program gets the environment of the tmux server.
 */
export const inEnvironment = (file: string, ...argv: readonly string[]): string[] => [
  'sh',
  '-c',
  '[ -r "$0" ] || exec "$@"; exec env -i TERM="$TERM" TMUX="$TMUX" TMUX_PANE="$TMUX_PANE" sh -c \'. "$0"; rm -f "$0"; exec "$@"\' "$0" "$@"',
  file,
  ...argv,
];
