/**
 * Determines the outcome of a launch from the last result in its stream, its exit and its other output. This module
 * is pure. The exit code alone is not enough: it is 0 for an agent that was denied every tool, and for one that waits
 * for an answer.
 */

import type { Exit } from '../../formats/launch.ts';
import type { ErrorKind } from '../../formats/schema/common-fields.ts';
import type { StreamFailure, StreamResult, StreamSummary } from '../streams/claude-stream-summary.ts';

export interface ProcessEnd {
  readonly stream: 'claude' | 'text';
  readonly code: number | null;
  readonly signal: string | null;
  /** The tail of the agent's other output: standard error, and standard output lines that are not events. */
  readonly output: string;
  readonly summary: StreamSummary;
  /** Why the runner stopped the agent: an error, a request to stop, silence, or its cost. */
  readonly stopped: StreamFailure | 'asked' | 'silent' | 'budget' | null;
  /** Why the process could not be started; null if it was started. */
  readonly startFailure: StreamFailure | null;
  readonly isConfined: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

type LaunchOutcome = Pick<Exit, 'outcome' | 'kind' | 'message' | 'retry_at'>;

const OUT_OF_RESOURCES = /ENOSPC|no space left on device|ENOMEM|cannot allocate memory|heap out of memory/i;
const NOT_AUTHORIZED = /cannot be used with root|not logged in|invalid api key|please run \/login/i;

const launchOutcome = (outcome: Exit['outcome'], message: string): LaunchOutcome => ({
  outcome,
  kind: null,
  message,
  retry_at: null,
});
const failed = (kind: ErrorKind, message: string): LaunchOutcome => ({
  ...launchOutcome('error', message),
  kind,
});

export function outcomeOfLaunch(ending: ProcessEnd): LaunchOutcome {
  const { summary, stopped, startFailure } = ending;
  if (startFailure) return failed(startFailure.kind, startFailure.message);
  const { result, refusal } = summary;
  const atFault = stopped !== null && typeof stopped !== 'string';
  // A stop that came after the result changes nothing: the work is finished.
  if (result && !result.isError && !atFault) return finished(ending, result);
  if (stopped === 'asked') return launchOutcome('stopped', 'stopped');
  if (stopped === 'budget') return launchOutcome('budget', 'it was stopped because it exceeded the budget');
  if (stopped === 'silent') return launchOutcome('silent', 'it printed nothing for too long');
  if (summary.longWaitMs !== null || (result && (refusal === 'rate_limit' || result.status === 429)))
    return limited(ending);
  if (atFault) return failed(stopped.kind, stopped.message);
  if (result) return refused(result, refusal);
  return ending.stream === 'text' && ending.code === 0 ? launchOutcome('ok', 'done') : died(ending);
}

function finished(ending: ProcessEnd, result: StreamResult): LaunchOutcome {
  if (ending.summary.deferred !== null) return launchOutcome('deferred', 'waits for an answer');
  if (ending.code === 0 || ending.stopped) return launchOutcome('ok', result.text.slice(0, 2000) || 'done');
  return died(ending);
}

function limited({ summary, now }: ProcessEnd): LaunchOutcome {
  const ends = summary.limitEnds ?? (summary.longWaitMs === null ? null : now + summary.longWaitMs);
  return {
    ...launchOutcome('rate-limited', summary.result?.text || 'the API rate limit was reached'),
    retry_at: ends === null ? null : new Date(ends).toISOString(),
  };
}

function refused(result: StreamResult, refusal: string | null): LaunchOutcome {
  const message = result.text.slice(0, 2000) || result.subtype;
  if (result.subtype === 'error_max_budget_usd') return launchOutcome('budget', message);
  if (
    result.status === 401 ||
    result.status === 403 ||
    refusal === 'authentication_failed' ||
    NOT_AUTHORIZED.test(message)
  )
    return failed('permission', message);
  if (refusal === 'billing_error' || OUT_OF_RESOURCES.test(message)) return failed('resource', message);
  return failed('crash', message);
}

/** Matches what bwrap or sh prints if the sandbox cannot be created or does not contain the program. */
const NOT_STARTED =
  /^(?:bwrap: (?:execvp (\S+): No such file or directory)?|sh: (?:line )?1: exec: (\S+): not found).*/m;

function died({ code, signal, output, isConfined }: ProcessEnd): LaunchOutcome {
  const notStarted = isConfined && NOT_STARTED.exec(output);
  const missing = notStarted && (notStarted[1] ?? notStarted[2]);
  if (notStarted)
    return failed(
      'permission',
      missing
        ? `${missing} was not found in the sandbox. It must be installed in a folder on PATH, outside the project.`
        : `the sandbox could not be started: ${notStarted[0]}`,
    );
  const how = signal === null ? `exit code ${code}` : `killed by ${signal}`;
  const message = output.trim() === '' ? how : `${how}: ${output.trim().slice(-2000)}`;
  if (NOT_AUTHORIZED.test(output) || code === 126 || code === 127) return failed('permission', message);
  return failed(kindOfFailedProcess(output), message);
}

/** Classifies the failure of a process by the end of its output. */
export const kindOfFailedProcess = (output: string): 'resource' | 'crash' =>
  OUT_OF_RESOURCES.test(output) ? 'resource' : 'crash';

/** Explains why a program could not be started and, if it was not found, what to do. */
export function failedToStart(error: NodeJS.ErrnoException, program: string): StreamFailure {
  switch (error.code) {
    case 'ENOENT':
      return {
        kind: 'permission',
        message: `${program} was not found on PATH. Install it, or choose another backend in .dure/config/global.json.`,
      };
    case 'EACCES':
      return { kind: 'permission', message: `no permission to execute ${program}` };
    case 'ENOMEM':
    case 'EAGAIN':
    case 'EMFILE':
    case 'ENOSPC':
      return { kind: 'resource', message: `${program} could not be started: ${error.code}` };
    default:
      return { kind: 'crash', message: `${program} could not be started: ${error.message}` };
  }
}
