/** A complete observation of a run folder, never only what has changed, so nothing can be missed. */
import type { ChecksOutput } from '../../formats/check-results.ts';
import type { Crp, Vcr } from '../../formats/crp-and-vcr.ts';
import type { ExamOutput } from '../../formats/exam/exam-output.ts';
import type { Exit, RunnerIdentity } from '../../formats/launch.ts';
import type { Feedback, PersonRequests } from '../../formats/requests-and-feedback.ts';
import type { TestOutput } from '../../formats/test-config-and-results.ts';
import type { Verdict } from '../../formats/verdict.ts';

export interface Unproven {
  /** Path in the run folder, and hash of the content. */
  readonly file: string;
  readonly hash: string;
  readonly problem: string;
}

export interface Observation {
  /** Run folders that had been replaced, and by what. They have already been restored. */
  readonly replaced: readonly string[];
  /** Time of the observation, ISO 8601. */
  readonly at: string;
  /**
   * When the run was last driven (ISO 8601), if since then it had no driver for a while, the machine slept, or the
   * clock was set.
   */
  readonly undriven_since?: string | null;
  /** The claim of the scheduled launch, if there is one. An invalid claim names no runner. */
  readonly claim: { readonly runner?: RunnerIdentity } | null;
  /** Absent until disk use has been measured; `at` is when the measurement began. */
  readonly disk?: { readonly at: string; readonly run_bytes: number; readonly project_bytes: number };
  /** Whether the agent's flag file exists. */
  readonly flag: boolean;
  /** Text of error.flag. */
  readonly error: string | null;
  /** What is wrong with the step's outputs; null if nothing is. */
  readonly outputs: string | null;
  /** Why the running agent's requests to its model are delayed; null if they are not. */
  readonly delay: string | null;
  /** Whether the flag is old enough to rule out that an invalid output file is still being written. */
  readonly settled: boolean;
  readonly verdict: Verdict | null;
  readonly proof: TestOutput | null;
  readonly examined: { readonly output: ExamOutput; readonly hash: string } | null;
  readonly checks: ChecksOutput | null;
  /**
   * Launches that have ended but are still recorded as open. `lost`: the runner died without writing exit.json; `usage`
   * then comes from the raw log, and is a lower bound.
   */
  readonly exits: readonly { readonly launch: number; readonly exit: Exit; readonly lost: boolean }[];
  /** Valid questions that are not in the state's `known` yet. */
  readonly questions: readonly { readonly file: string; readonly hash: string; readonly crp: Crp }[];
  /** An invalid question that is not in the state's `known` yet, and what is wrong with it. */
  readonly badQuestion: { readonly file: string; readonly hash: string; readonly problem: string } | null;
  /** Only answers with a valid proof. Requests and feedback also need a valid proof. */
  readonly answers: readonly Vcr[];
  /** A decision that has no valid proof and has not been refused yet. */
  readonly unproven: Unproven | null;
  /** Requests that have not been recorded yet. */
  readonly requests: PersonRequests;
  /** The next feedback that has not been processed yet. */
  readonly feedback: Feedback | null;
  /** Pack files that were modified after Dure wrote them, while the pack waits for a decision. */
  readonly changedPack: readonly string[];
}
