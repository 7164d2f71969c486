/**
 * Passes events to the publisher and records in delivered.json which events were sent. If a driver is killed between
 * recording an event and sending it, the next driver sends it. An event that was being sent at that moment may be
 * sent twice.
 */

import type { RunEvent } from '../../formats/events/events.ts';
import { deliveredFile } from '../../formats/events/last-delivered-event.ts';
import type { RunFiles } from '../../formats/layout.ts';
import { readValue, replaceJson } from '../../formats/read-and-write-files.ts';
import type { RunState } from '../../formats/state.ts';
import { fold } from '../policy/evolve.ts';
import type { Publisher } from './notify-channels.ts';

export interface EventDelivery {
  /** Returns immediately: the driver never waits for a channel. */
  announce(event: RunEvent, state: RunState): void;
  /** Resolves when all announced events are sent and recorded. */
  settled(): Promise<void>;
}

/** `events` are the ones in the log. Announces those that no earlier driver has announced. */
export async function openEventDelivery(
  files: RunFiles,
  events: readonly RunEvent[],
  { publish }: Publisher,
): Promise<EventDelivery> {
  const recorded = await readValue(deliveredFile, files.delivered);
  // Without a record: if no agent was started, no driver has sent notifications yet. Otherwise, the record was lost,
  // and the notifications were probably sent.
  const first = recorded?.seq ?? (events.some(({ type }) => type === 'agent.started') ? events.length : 0);
  if (!recorded) await save(files, first);
  let latest = first;
  const pending = new Map<number, Promise<void>>();
  // Records are saved one after another: an earlier record must not replace a later one.
  let saving = Promise.resolve();
  const record = (seq: number): Promise<void> => {
    saving = saving.then(() => save(files, seq));
    return saving;
  };

  const deliver = async (event: RunEvent, state: RunState): Promise<void> => {
    const wasSubscribed = await publish(event, state);
    pending.delete(state.seq);
    if (wasSubscribed) await record(Math.min(latest, ...[...pending.keys()].map(seq => seq - 1)));
  };
  const announce = (event: RunEvent, state: RunState) => {
    latest = state.seq;
    pending.set(state.seq, deliver(event, state));
  };
  for (let seq = first + 1; seq <= events.length; seq += 1)
    announce(events[seq - 1]!, fold(events.slice(0, seq)));
  return {
    announce,
    async settled() {
      while (pending.size > 0) await Promise.all(pending.values());
      if (latest > first) void record(latest);
      await saving;
    },
  };
}

/** Ignores errors: if the record cannot be saved, at worst some notifications are sent again. */
const save = (files: RunFiles, seq: number): Promise<void> =>
  replaceJson(files.delivered, { seq }).catch(() => undefined);
