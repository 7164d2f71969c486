/**
 * Sends events to the subscribed channels, in parallel and with a time limit. An error in a channel is reported with
 * the name of its plugin and affects nothing else.
 */
import { z } from 'zod';
import type { Config } from '../../formats/config/config.ts';
import { meetsLogLevel, NEEDS_ATTENTION, severityOf } from '../../formats/events/event-types-and-severity.ts';
import type { EventType, RunEvent } from '../../formats/events/events.ts';
import type { RunState } from '../../formats/state.ts';
import type { Notification, NotificationChannel } from '../../index.ts';
import { callWithin, checkedAnswer, errorText, type Report } from '../../process/call-plugin-code.ts';
import { commandFor } from '../policy/command-for-user.ts';
import { summarizeRun } from '../policy/state/run-summary-for-plugins.ts';

/** Milliseconds a channel has for one notification. */
const LIMIT_MS = 10_000;

export interface ContributedChannel {
  readonly plugin: string;
  /** Key of the plugin's section in global.json. */
  readonly section: string;
  readonly channel: NotificationChannel;
}

export interface Recipients {
  readonly channels: readonly ContributedChannel[];
  /** Contains the sections of plugins, with their defaults filled in. */
  readonly config: Config;
  /** The event as one line, in the user's language. */
  readonly sentence: (event: RunEvent) => string;
  /** Absolute path. */
  readonly project: string;
  readonly report: Report;
  readonly platform?: NodeJS.Platform;
  readonly limit_ms?: number;
}

export interface Publisher {
  /**
   * `state` is the state after the event. Never rejects. Resolves to true when every channel has been
   * notified; to false if no channel wants the event.
   */
  publish(event: RunEvent, state: RunState): Promise<boolean>;
}

/** Events that need the user are sent regardless of the log level. */
const reachesChannels = (type: EventType, { global }: Config) =>
  NEEDS_ATTENTION.includes(type) || meetsLogLevel(type, global.log_level);

export function publisher(recipients: Recipients): Publisher {
  const { channels, config } = recipients;
  return {
    async publish(event, state) {
      const subscribed = channels.filter(
        ({ channel }) =>
          reachesChannels(event.type, config) && (channel.on ?? NEEDS_ATTENTION).includes(event.type),
      );
      if (subscribed.length === 0) return false;
      const text = recipients.sentence(event);
      const severity = severityOf(event.type);
      const notification: Notification = {
        event,
        run: summarizeRun(state),
        severity,
        text,
        command: commandFor(state),
      };
      await Promise.all(subscribed.map(channel => notifyChannel(channel, notification, recipients)));
      return true;
    },
  };
}

async function notifyChannel(
  { plugin, section, channel }: ContributedChannel,
  notification: Notification,
  recipients: Recipients,
): Promise<void> {
  const { config, project, report, platform = process.platform, limit_ms = LIMIT_MS } = recipients;
  try {
    const { enabled } = channel;
    if (enabled && !(await checkedAnswer(z.boolean(), () => enabled.call(channel, config, platform)))) return;
    await callWithin(limit_ms, async signal => {
      await channel.notify(notification, { project, config: config.plugins[section], signal });
    });
  } catch (error) {
    report({ plugin, problem: `channel ${channel.name}: ${errorText(error)}` });
  }
}
