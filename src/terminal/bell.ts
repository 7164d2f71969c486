/**
 * Rings the terminal of a command that looks on when an event calls a person: in most runs the driver has no terminal,
 * or one that nobody looks at. A terminal at which the driver's own bell is heard is not rung twice.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { driverOf } from '../core/run-store.ts';
import type { RunEvent } from '../formats/events.ts';
import type { ProjectFiles, RunFiles } from '../formats/layout.ts';
import { CALLS_A_PERSON } from '../formats/severity.ts';
import { readWritten } from '../written.ts';

const BELL = '\x07';

export interface Bell {
  hear(events: readonly RunEvent[]): Promise<void>;
}

/** Null when nothing is to ring here. What was recorded before `since` is no news. */
export async function bellFor(project: ProjectFiles, files: RunFiles, since: string): Promise<Bell | null> {
  if (process.stderr.isTTY !== true || !(await isWanted(project))) return null;
  return {
    async hear(events) {
      const calls = events.filter(e => CALLS_A_PERSON.includes(e.type) && e.at >= since);
      if (calls.length > 0 && !(await isRungByDriver(files))) process.stderr.write(BELL.repeat(calls.length));
    },
  };
}

/** On unless it was turned off; what is wrong with the file is for others to say. */
async function isWanted(project: ProjectFiles): Promise<boolean> {
  const { notifications } = await readWritten(project, 'global').catch(() => ({ notifications: null }));
  return (notifications as { terminal_bell?: unknown } | null | undefined)?.terminal_bell !== false;
}

/** Whether the driver shares this terminal, or a pane of the tmux session that is shown on it. */
async function isRungByDriver(files: RunFiles): Promise<boolean> {
  const driver = await driverOf(files);
  const its = driver && (await said('ps', '-o', 'tty=', '-p', String(driver.pid)));
  if (!its || its.startsWith('?')) return false;
  const { TMUX, TMUX_PANE } = process.env;
  const panes = TMUX && TMUX_PANE ? ['list-panes', '-s', '-t', TMUX_PANE, '-F', '#{pane_tty}'] : null;
  const [own, shown] = await Promise.all([
    said('ps', '-o', 'tty=', '-p', String(process.pid)),
    panes ? said('tmux', ...panes) : '',
  ]);
  return its === own || shown.split('\n').includes(`/dev/${its}`);
}

/** Empty when the program is missing or fails: then nothing is known. */
const said = (program: string, ...args: readonly string[]): Promise<string> =>
  promisify(execFile)(program, args, { encoding: 'utf8' }).then(
    ({ stdout }) => stdout.trim(),
    () => '',
  );
