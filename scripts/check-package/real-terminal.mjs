/** Runs a shell in a real terminal (tmux with its own socket), sends keys to it and reads the screen. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const PATIENCE_MS = 60_000;

export const isThere = program => {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/** `command` is the shell with its arguments, as one line. */
export function terminal({ dir, env, cwd, command }) {
  const tmux = (...args) =>
    execFileSync('tmux', ['-f', '/dev/null', '-S', join(dir, 'tmux.sock'), ...args], {
      env,
      encoding: 'utf8',
    });
  tmux('new-session', '-d', '-x', '120', '-y', '40', '-c', cwd, command);
  const screen = () => tmux('capture-pane', '-p');
  return {
    press: (...keys) => tmux('send-keys', ...keys),
    type: text => tmux('send-keys', '-l', text),
    screen,
    /** Waits until the screen shows the text. `again` is called repeatedly while waiting. */
    async shows(wanted, again = () => {}) {
      const until = Date.now() + PATIENCE_MS;
      for (let look = 1; !wanted.test(screen()); look += 1) {
        if (Date.now() > until) throw new Error(`never on the screen: ${wanted}\n${screen()}`);
        await pause(100);
        if (look % 30 === 0) again();
      }
    },
    close: () => tmux('kill-server'),
  };
}
