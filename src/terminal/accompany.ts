/** Stays with a run until it needs nothing more from this terminal. Going away changes nothing in the run. */
import { isOver } from '../core/evolve.ts';
import { openQuestion } from '../core/wishes.ts';
import type { Crp } from '../formats/consultation.ts';
import type { RunFiles } from '../formats/layout.ts';
import type { RunState } from '../formats/state.ts';
import { firstOf } from '../process/abort.ts';
import type { Bell } from './bell.ts';
import { looks } from './follow.ts';
import type { Progress } from './progress.ts';

export interface Company {
  readonly progress: Progress;
  /** Puts a question to the person at this terminal; false when they gave no answer. Null when nobody is there. */
  readonly ask: ((crp: Crp, signal: AbortSignal) => Promise<boolean>) | null;
  /** Whether a question that nobody here answers ends the company. */
  readonly leaveWhenAsked: boolean;
  /** Null where the run is driven at this very terminal, which the driver rings. */
  readonly bell: Bell | null;
}

/** The state in which the run was left: over, ready, interrupted, waiting for an answer; or null after a signal. */
export async function accompany(
  files: RunFiles,
  company: Company,
  signal: AbortSignal,
): Promise<RunState | null> {
  const { progress, ask, leaveWhenAsked, bell } = company;
  let open: Asked | null = null;
  for await (const look of looks(files, signal)) {
    const { state } = look;
    await progress.show(look);
    await bell?.hear(look.events);
    if (isOver(state) || ['ready_for_merge', 'interrupted'].includes(state.phase)) {
      await open?.withdraw();
      await progress.rest();
      return state;
    }
    if (open && open.crp !== state.pending_crp) {
      await open.withdraw();
      open = null;
    }
    if (state.phase !== 'waiting_human' || !state.pending_crp || open?.pending) continue;
    const crp = await openQuestion(files, state);
    if (state.setup.take_recommendations && crp.recommendation !== undefined) continue;
    if (open ? !open.answered : !ask && leaveWhenAsked) {
      await progress.rest();
      return state;
    }
    if (open || !ask) continue;
    await progress.rest();
    open = asked(crp, ask, signal);
  }
  await open?.withdraw();
  await progress.rest();
  return null;
}

interface Asked {
  readonly crp: string;
  readonly pending: boolean;
  readonly answered: boolean;
  /** Takes the question off the screen, because somebody else has answered it or the person leaves. */
  withdraw(): Promise<void>;
}

function asked(crp: Crp, ask: NonNullable<Company['ask']>, signal: AbortSignal): Asked {
  const controller = new AbortController();
  let answered: boolean | null = null;
  let problem: unknown = null;
  const until = firstOf(signal, controller.signal);
  const done = ask(crp, until.signal)
    .finally(until.release)
    .then(
      given => {
        answered = given;
      },
      (error: unknown) => {
        problem = error;
        answered = false;
      },
    );
  return {
    crp: crp.crp_id,
    get pending() {
      if (problem) throw problem;
      return answered === null;
    },
    get answered() {
      return answered === true;
    },
    async withdraw() {
      controller.abort();
      await done;
    },
  };
}
