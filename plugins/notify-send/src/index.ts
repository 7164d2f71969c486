/** Shows desktop notifications on Linux. Runs `notify-send`, if installed, without a shell. */
import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { definePlugin, type Severity } from 'dure';

const run = promisify(execFile);
const PROGRAM = 'notify-send';

const isInstalled = () =>
  (process.env['PATH'] ?? '').split(delimiter).some(dir => {
    try {
      accessSync(join(dir, PROGRAM), constants.X_OK);
      return dir !== '';
    } catch {
      return false;
    }
  });

const URGENCY: Record<Severity, string> = {
  info: 'low',
  success: 'normal',
  warning: 'normal',
  error: 'critical',
};

/** Notification servers parse the body as markup. */
const escaped = (text: string) =>
  text.replace(/[&<>]/g, c => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[c]!);

export default async () =>
  definePlugin({
    name: 'notify-send',
    channels: [
      {
        name: 'notify-send',
        enabled: (config, platform) =>
          platform === 'linux' && config.global.notifications.system_notify && isInstalled(),
        notify: async ({ run: { run_id }, severity, text, command }, { signal }) => {
          const body = escaped(command ? `${text}\n${command}` : text);
          const args = ['--app-name=Dure', `--urgency=${URGENCY[severity]}`, '--', `Dure ${run_id}`, body];
          await run(PROGRAM, args, { signal });
        },
      },
    ],
  });
