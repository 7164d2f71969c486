/** Sends notifications as HTTP requests. Disabled until `notify-webhook.url` is set in global.json. */
import { definePlugin, EVENT_TYPES } from 'dure';
import { deliver } from './deliver.ts';
import { secretValue, section } from './settings.ts';

export default async () =>
  definePlugin({
    name: 'notify-webhook',
    config: section,
    channels: [
      {
        name: 'webhook',
        on: EVENT_TYPES,
        enabled: config => {
          const read = section.safeParse(config.plugins['notify-webhook'] ?? {});
          return read.success && read.data.url !== undefined && secretValue(read.data.url) !== undefined;
        },
        notify: async (notification, { config, signal }) => {
          const settings = section.parse(config);
          if (settings.events.includes(notification.event.type))
            await deliver(notification, settings, signal);
        },
      },
    ],
  });
