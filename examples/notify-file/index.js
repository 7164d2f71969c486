/** The smallest channel: appends each notification to a file. It needs no build and no dependencies. */
import { appendFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export default async () => ({
  name: 'notify-file',
  channels: [
    {
      name: 'file',
      async notify({ event, run, text }, { project }) {
        const file = process.env.DURE_NOTIFY_FILE ?? join(project, '.dure', 'server', 'notifications.log');
        await mkdir(dirname(file), { recursive: true });
        await appendFile(file, `${event.at} ${run.run_id} ${text}\n`);
      },
    },
  ],
});
