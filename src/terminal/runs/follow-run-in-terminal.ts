/**
 * Follows a run in a terminal until it is over, interrupted, ready for merge, or waiting for an answer that will not be
 * given in this terminal. Read-only: quitting does not change the run.
 */
import { mayTakeRecommendation } from '../../core/policy/questions/dure-questions-and-answers.ts';
import { isOver } from '../../core/policy/state/phase.ts';
import { openQuestion } from '../../core/run/requests/write-answer.ts';
import type { Crp } from '../../formats/crp-and-vcr.ts';
import type { RunFiles } from '../../formats/layout.ts';
import type { RunState } from '../../formats/state.ts';
import { anySignal } from '../../process/abort-signals-and-timeouts.ts';
import type { TerminalBell } from '../terminal-bell.ts';
import type { Progress } from './run-progress.ts';
import { watchRunSnapshots } from './watch-run-snapshots.ts';

export interface FollowOptions {
  readonly progress: Progress;
  /** Asks the question in this terminal; false if the user gave no answer. Null if not interactive. */
  readonly ask: ((run: RunState, crp: Crp, signal: AbortSignal) => Promise<boolean>) | null;
  /** Whether to return when there is a question that will not be answered in this terminal. */
  readonly stopAtQuestion: boolean;
  /** Null if the run is driven in this terminal, because then the driver rings the bell. */
  readonly bell: TerminalBell | null;
}

/** Returns the state at which following ended, or null after a signal. */
export async function followUntilIdle(
  files: RunFiles,
  options: FollowOptions,
  signal: AbortSignal,
): Promise<RunState | null> {
  const { progress, ask, stopAtQuestion, bell } = options;
  let open: OpenPrompt | null = null;
  for await (const snapshot of watchRunSnapshots(files, signal)) {
    const { state } = snapshot;
    // The command may still be starting a driver for the answer given here.
    if (state.phase === 'interrupted' && open?.pending) continue;
    await progress.show(snapshot);
    await bell?.onEvents(snapshot.events);
    if (isOver(state) || ['ready_for_merge', 'interrupted'].includes(state.phase)) {
      await open?.withdraw();
      await progress.pause();
      return state;
    }
    if (open && open.crp !== state.pending_crp) {
      await open.withdraw();
      open = null;
    }
    if (state.phase !== 'waiting_human' || !state.pending_crp || open?.pending) continue;
    const crp = await openQuestion(files, state);
    // The driver answers this question.
    if (state.setup.take_recommendations && mayTakeRecommendation(state) && crp.recommendation !== undefined)
      continue;
    if (open ? !open.answered : !ask && stopAtQuestion) {
      await progress.pause();
      return state;
    }
    if (open || !ask) continue;
    await progress.pause();
    open = openPrompt(crp, (crp, until) => ask(state, crp, until), signal);
  }
  await open?.withdraw();
  await progress.pause();
  return null;
}

interface OpenPrompt {
  readonly crp: string;
  readonly pending: boolean;
  readonly answered: boolean;
  /** Withdraws the question, because the run no longer waits for this answer or the user has quit. */
  withdraw(): Promise<void>;
}

function openPrompt(
  crp: Crp,
  ask: (crp: Crp, signal: AbortSignal) => Promise<boolean>,
  signal: AbortSignal,
): OpenPrompt {
  const controller = new AbortController();
  let answered: boolean | null = null;
  let problem: unknown = null;
  const until = anySignal(signal, controller.signal);
  const done = ask(crp, until.signal)
    .finally(until.release)
    .then(
      result => {
        answered = result;
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
