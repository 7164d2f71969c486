/** Rings the terminal of the driver: the bell of pane 5 reaches everyone attached to the session. */
import { definePlugin } from 'dure';
import { ring } from './ring.ts';

export default async () =>
  definePlugin({
    name: 'notify-bell',
    channels: [
      {
        name: 'bell',
        enabled: config => config.global.notifications.terminal_bell,
        notify: () => ring(process.stderr),
      },
    ],
  });
