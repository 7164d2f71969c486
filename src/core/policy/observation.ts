/** One whole look at a run directory. Never a difference, so nothing can be missed. */
import type { ChecksOutput } from '../../formats/checks.ts';
import type { Crp, Vcr } from '../../formats/consultation.ts';
import type { Exit } from '../../formats/launch.ts';
import type { Feedback, PersonRequest } from '../../formats/request.ts';
import type { TestOutput } from '../../formats/tests.ts';
import type { Verdict } from '../../formats/verdict.ts';

export interface Observation {
  /** Time of the look, ISO 8601. */
  readonly at: string;
  /** A process took the launch that is due. */
  readonly claimed: boolean;
  /** The agent's flag is there. */
  readonly flag: boolean;
  /** Text of error.flag. */
  readonly error: string | null;
  /** What is wrong with the files the step must leave; null when nothing is. */
  readonly outputs: string | null;
  /** What holds up the requests of the agent at work; null when nothing does. */
  readonly delay: string | null;
  /** The flag is so old that a file half-written beside it is no excuse any more. */
  readonly settled: boolean;
  readonly verdict: Verdict | null;
  readonly proof: TestOutput | null;
  readonly checks: ChecksOutput | null;
  /** Open launches that ended. `lost`: the runner died without a word; `usage` then comes from its raw log. */
  readonly exits: readonly { readonly launch: number; readonly exit: Exit; readonly lost: boolean }[];
  /** Valid questions that are not among the known ones. */
  readonly questions: readonly { readonly file: string; readonly hash: string; readonly crp: Crp }[];
  /** What is wrong with a question that cannot be read and is not among the known ones. */
  readonly badQuestion: { readonly file: string; readonly hash: string; readonly problem: string } | null;
  readonly answers: readonly Vcr[];
  readonly stop: PersonRequest<'stop'> | null;
  readonly approve: PersonRequest<'approve'> | null;
  readonly retry: PersonRequest<'retry'> | null;
  readonly extend: PersonRequest<'extend'> | null;
  /** The next feedback that was not taken yet. */
  readonly feedback: Feedback | null;
}
