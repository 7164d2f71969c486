/**
 * A driver waits while a disk error prevents its work. The user is told once what is wrong, even if the log itself
 * cannot be written. An error that disappears within a second is not reported.
 */

import { type DiskFault, diskFault, untilDiskWorks } from '../../formats/disk-errors.ts';
import type { EventOf, RunEvent } from '../../formats/events.ts';
import type { RunState } from '../../formats/state.ts';
import { fileSystemOf } from '../../process/find-file-system.ts';
import { evolve } from '../policy/evolve.ts';
import { isOver } from '../policy/phase.ts';
import type { Journal } from './run-store.ts';

export interface DiskWait {
  readonly journal: Journal;
  /** For an error that does not name a path. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** `recorded` is false for an event that could not be written to the log. */
  readonly notify: (event: RunEvent, state: RunState, recorded: boolean) => void;
}

/** `folder` is for an error that does not name a path. */
export async function delayedBy({ file, why }: DiskFault, folder: string): Promise<EventOf<'run.delayed'>> {
  const path = file ?? folder;
  const system = await fileSystemOf(path);
  return {
    at: new Date().toISOString(),
    type: 'run.delayed',
    file: path,
    why,
    file_system: system?.name ?? null,
    free_bytes: system?.free ?? null,
  };
}

/** Returns a function that repeats `work` until no disk error interrupts it. */
export function waitOutDiskErrors({ journal, folder, signal, notify }: DiskWait) {
  let failures = 0;
  const record = async (event: RunEvent): Promise<void> => {
    const expected = evolve(journal.state!, event);
    const state = await journal.append(event).catch((error: unknown) => {
      if (!diskFault(error)) throw error;
      return null;
    });
    notify(event, state ?? expected, state !== null);
  };
  const onFault = async (fault: DiskFault): Promise<void> => {
    failures += 1;
    if (failures !== 2 || !journal.state || journal.state.blocked || isOver(journal.state)) return;
    await record(await delayedBy(fault, folder));
  };
  return <T>(work: () => Promise<T>): Promise<T> =>
    untilDiskWorks(
      async () => {
        const done = await work();
        failures = 0;
        if (journal.state?.blocked && !isOver(journal.state))
          await record({ at: new Date().toISOString(), type: 'run.continued' });
        return done;
      },
      { signal, onFault },
    );
}
