/**
 * Rings the terminal bell for a command that follows a run, when an event needs the user. The driver usually cannot
 * do this, because it has no terminal, or one that is not visible. If the driver does ring this terminal, the command
 * does not.
 */
import { writeSync } from 'node:fs';
import { driverOf } from '../core/run/run-store.ts';
import { NEEDS_ATTENTION } from '../formats/events/event-types-and-severity.ts';
import type { RunEvent } from '../formats/events/events.ts';
import type { ProjectFiles, RunFiles } from '../formats/layout.ts';
import { programOutput } from '../process/program-output.ts';
import { readRawConfig } from '../workspace/project/read-raw-config.ts';

const BELL = '\x07';

export interface TerminalBell {
  onEvents(events: readonly RunEvent[]): Promise<void>;
}

/** Null if the bell of this terminal should not ring. Events recorded before `since` do not ring. */
export async function terminalBell(
  project: ProjectFiles,
  files: RunFiles,
  since: string,
): Promise<TerminalBell | null> {
  if (process.stderr.isTTY !== true || !(await isEnabled(project))) return null;
  return {
    async onEvents(events) {
      const calls = events.filter(e => NEEDS_ATTENTION.includes(e.type) && e.at >= since);
      if (calls.length > 0 && !(await driverRingsTerminal(files))) ring(calls.length);
    },
  };
}

/** Does not use `process.stderr.write`: listr2 buffers what is written there while it draws the phases. */
function ring(times: number): void {
  try {
    writeSync(process.stderr.fd, BELL.repeat(times));
  } catch {
    // The terminal was closed.
  }
}

/** The bell is on unless the configuration turns it off. `dure config check` reports an invalid configuration. */
async function isEnabled(project: ProjectFiles): Promise<boolean> {
  const { notifications } = await readRawConfig(project, 'global').catch(() => ({ notifications: null }));
  return (notifications as { terminal_bell?: unknown } | null | undefined)?.terminal_bell !== false;
}

/** Whether the driver shares this terminal, or runs in a pane of the tmux session shown in it. */
async function driverRingsTerminal(files: RunFiles): Promise<boolean> {
  const driver = await driverOf(files);
  const driverTty = driver && (await ttyOf(driver.pid));
  if (!driverTty || driverTty.startsWith('?')) return false;
  const { TMUX, TMUX_PANE } = process.env;
  const panes = TMUX && TMUX_PANE ? ['list-panes', '-s', '-t', TMUX_PANE, '-F', '#{pane_tty}'] : null;
  const [ownTty, paneTtys] = await Promise.all([
    ttyOf(process.pid),
    panes ? programOutput('tmux', panes) : null,
  ]);
  return driverTty === ownTty || (paneTtys ?? '').split('\n').includes(`/dev/${driverTty}`);
}

/** Returns the terminal of a process, such as `pts/3`; null if `ps` cannot tell. */
const ttyOf = (pid: number): Promise<string | null> => programOutput('ps', ['-o', 'tty=', '-p', String(pid)]);
