/** Rings the bell in the driver's terminal. If that is pane 5 in tmux, everyone attached to the session hears it. */
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
