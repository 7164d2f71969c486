/**
 * Hands recorded events to the channels that want them: once each, side by side, within a time limit. The one who drives
 * a run never waits for a channel; what a channel does wrong is reported under its plugin's name and goes no further.
 */
import { z } from 'zod';
import type { Config } from '../formats/config.ts';
import {
  CALLS_A_PERSON,
  type EventType,
  type RunEvent,
  type Severity,
  severityOf,
} from '../formats/events.ts';
import type { RunState } from '../formats/state.ts';
import type { Notice } from '../index.ts';
import { atOnce, type Report, within, wordsOf } from '../plugins/calls.ts';
import type { GatheredChannel } from '../plugins/gathered.ts';
import { commandFor, describe } from './describe.ts';

/** Milliseconds a channel has for one notice. */
const LIMIT_MS = 10_000;

export interface Audience {
  readonly channels: readonly GatheredChannel[];
  /** With the plugins' sections filled in. */
  readonly config: Config;
  /** Absolute path. */
  readonly project: string;
  readonly report: Report;
  readonly platform?: NodeJS.Platform;
  readonly limit_ms?: number;
}

export interface Publisher {
  /** `state` is the one after the event. Never rejects, and settles when every channel has had its say. */
  publish(event: RunEvent, state: RunState): Promise<void>;
  /** When nothing is under way any more, for an orderly end. */
  settled(): Promise<void>;
}

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;
const LEVEL: Record<Severity, (typeof LEVELS)[number]> = {
  info: 'info',
  success: 'info',
  warning: 'warn',
  error: 'error',
};
/** Whoever turned down the noise of the log still wants to know that a run waits for them. */
const isLoudEnough = (type: EventType, { global }: Config) =>
  CALLS_A_PERSON.includes(type) ||
  LEVELS.indexOf(LEVEL[severityOf(type)]) >= LEVELS.indexOf(global.log_level);

export function publisher(audience: Audience): Publisher {
  const { channels, config } = audience;
  const underWay = new Set<Promise<void>>();
  /** Number of the latest event of each run: events are numbered, so one glance tells which were handed on. */
  const latest = new Map<string, number>();
  return {
    publish(event, state) {
      if (state.seq <= (latest.get(state.run_id) ?? 0)) return Promise.resolve();
      latest.set(state.run_id, state.seq);
      const wanting = channels.filter(
        ({ channel }) =>
          isLoudEnough(event.type, config) && (channel.on ?? CALLS_A_PERSON).includes(event.type),
      );
      if (wanting.length === 0) return Promise.resolve();
      const text = describe(event);
      const severity = severityOf(event.type);
      const notice: Notice = { event, run: state, severity, text, command: commandFor(state) };
      const told = Promise.all(wanting.map(channel => tell(channel, notice, audience))).then(() => undefined);
      underWay.add(told);
      return told.finally(() => underWay.delete(told));
    },
    async settled() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}

async function tell(
  { plugin, section, channel }: GatheredChannel,
  notice: Notice,
  audience: Audience,
): Promise<void> {
  const { config, project, report, platform = process.platform, limit_ms = LIMIT_MS } = audience;
  try {
    if (channel.enabled && !atOnce(z.boolean(), () => channel.enabled?.(config, platform))) return;
    await within(limit_ms, async signal => {
      await channel.notify(notice, { project, config: config.plugins[section], signal });
    });
  } catch (error) {
    report({ plugin, problem: `channel ${channel.name}: ${wordsOf(error)}` });
  }
}
