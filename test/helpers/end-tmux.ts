/** The tmux server of a project outlives the process that started it, but must not outlive the test. */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { socketOf, tmuxAt } from '../../src/agents/launchers/tmux-client.ts';

/** Call while the folder exists: the socket is named after its real path. */
export async function endTmux(root: string): Promise<void> {
  const socket = socketOf(root);
  if (!existsSync(socket)) return;
  await tmuxAt(socket, tmpdir())
    .run(['kill-server'])
    .catch(() => {});
  for (const left of [socket, `${socket}.lock`]) await rm(left, { force: true });
}
