/** Shows notifications in macOS Notification Centre. The title and the text are arguments of the script, never code. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { definePlugin } from 'dure';

const run = promisify(execFile);

const SCRIPT = [
  'on run argv',
  'display notification (item 2 of argv) with title (item 1 of argv) subtitle (item 3 of argv)',
  'end run',
];

export default async () =>
  definePlugin({
    name: 'notify-osascript',
    channels: [
      {
        name: 'osascript',
        enabled: (config, platform) => platform === 'darwin' && config.global.notifications.system_notify,
        notify: async ({ run: { run_id }, text, command }, { signal }) => {
          const lines = SCRIPT.flatMap(line => ['-e', line]);
          await run('osascript', [...lines, `Dure ${run_id}`, text, command ?? ''], { signal });
        },
      },
    ],
  });
