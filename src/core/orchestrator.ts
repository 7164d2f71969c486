/**
 * Drives one run: observe, decide, record, reconcile, until the run is over. To resume after a crash, call it again;
 * there is no separate recovery code.
 */

import type { RunEvent } from '../formats/events/events.ts';
import type { RunState } from '../formats/state.ts';
import { decide } from './policy/decide.ts';
import { desired, type Launch } from './policy/desired-launch.ts';
import type { Observation } from './policy/observation.ts';
import { isIdle, isOver } from './policy/state/phase.ts';
import type { Effect } from './policy/transition.ts';
import { eventWithoutSecrets } from './run/record/redact-event-secrets.ts';
import type { Journal } from './run/run-store.ts';

/** The side effects that the loop needs. Each call may be interrupted at any `await` and is then repeated. */
export interface World {
  observe(s: RunState): Promise<Observation>;
  perform(s: RunState, effect: Effect): Promise<RunEvent | null>;
  /** Ends all other launches and starts the desired one. If it cannot start, returns the event that says why. */
  reconcile(s: RunState, launch: Launch | null): Promise<RunEvent | null>;
}

export interface Drive {
  readonly journal: Journal;
  readonly world: World;
  readonly wakes: AsyncIterable<void>;
  /** Retries work that fails with an error, until it succeeds. */
  readonly untilItWorks: <T>(work: () => Promise<T>) => Promise<T>;
  readonly publish: (event: RunEvent, state: RunState) => void | Promise<void>;
  /** Whether to return as soon as the run cannot continue without the user. */
  readonly untilIdle?: boolean;
}

export async function drive({
  journal,
  world,
  wakes,
  untilItWorks,
  publish,
  untilIdle = false,
}: Drive): Promise<RunState> {
  const nextEvent = async (state: RunState): Promise<RunEvent | null> => {
    const transition = decide(state, await world.observe(state));
    return transition === null || 'type' in transition ? transition : world.perform(state, transition);
  };
  const advance = async (): Promise<void> => {
    for (;;) {
      const before = stateOf(journal);
      const next = (await nextEvent(before)) ?? (await world.reconcile(before, desired(before)));
      if (!next) break;
      const event = eventWithoutSecrets(next);
      const after = await journal.append(event);
      await untilItWorks(async () => publish(event, after));
    }
    await journal.save();
  };
  for await (const _ of wakes) {
    await untilItWorks(advance);
    const state = stateOf(journal);
    if ((state.open.length === 0 && isOver(state)) || (untilIdle && isIdle(state))) return state;
  }
  return stateOf(journal);
}

function stateOf(journal: Journal): RunState {
  if (!journal.state) throw new RangeError('the run has not started: its log is empty');
  return journal.state;
}
