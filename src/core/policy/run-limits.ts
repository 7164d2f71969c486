/**
 * The limits of a run other than its budget and the time limits of its steps. Each allows an amount; a person can grant
 * the same amount again.
 */

import type { Config } from '../../formats/config/config.ts';
import type { LimitName, Limits, ReachedLimit } from '../../formats/limits-and-reached-limits.ts';
import type { AskReason } from '../../formats/question-reasons-and-effects.ts';
import type { RunState } from '../../formats/state.ts';
import type { Observation } from './observation.ts';
import { currentStep, timeoutOf } from './pipeline/look-up-steps.ts';
import { isWorkedOn } from './state/phase.ts';
import type { Effect } from './transition.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const GB = 1e9;

/** Converts the configured limits to the units that events and the state use. */
export function limitsOf({ limits }: Config['global']): Limits {
  const { launches, work_hours, silence_minutes, run_gb, project_gb } = limits;
  return {
    ...(launches !== null && { launches }),
    ...(work_hours !== null && { work_ms: work_hours * HOUR_MS }),
    ...(silence_minutes !== null && { silence_ms: silence_minutes * MINUTE_MS }),
    ...(run_gb !== null && { run_bytes: run_gb * GB }),
    ...(project_gb !== null && { project_bytes: project_gb * GB }),
  };
}

const REACHED: Record<LimitName, { why: AskReason; message: (used: number, allowed: number) => string }> = {
  launches: {
    why: 'limit',
    message: (_, allowed) => `The run has had ${allowed} launches, the maximum set by limits.launches.`,
  },
  work_ms: {
    why: 'limit',
    message: (used, allowed) =>
      `The run has worked for ${hours(used)}, not counting the time it waited for you. limits.work_hours allows ${hours(allowed)}.`,
  },
  silence_ms: {
    why: 'silence',
    message: used =>
      `The agent printed nothing for ${minutes(used)}, the limit set by limits.silence_minutes, and was stopped.`,
  },
  run_bytes: {
    why: 'disk',
    message: (used, allowed) =>
      `The run and its checkouts use ${gigabytes(used)} of disk space. limits.run_gb allows ${gigabytes(allowed)}.`,
  },
  project_bytes: {
    why: 'disk',
    message: (used, allowed) =>
      `All runs of the project use ${gigabytes(used)} of disk space. limits.project_gb allows ${gigabytes(allowed)}. \`dure clean\` removes runs that are over.`,
  },
};

const round = (amount: number): string => String(Number(amount.toPrecision(3)));
const hours = (ms: number): string => `${round(ms / HOUR_MS)} h`;
const minutes = (ms: number): string => `${round(ms / MINUTE_MS)} min`;
const gigabytes = (bytes: number): string => `${round(bytes / GB)} GB`;

/** Returns the question about the first limit that is reached; null if none is. */
export function limitQuestion(s: RunState, { at, disk }: Observation): Effect | null {
  const { launches, work_ms, run_bytes, project_bytes } = s.limits;
  const worked = workedUntil(s, at);
  if (launches !== undefined && s.since === null && s.launch > launches) return ask(s, 'launches', s.launch);
  if (work_ms !== undefined && worked >= work_ms) return ask(s, 'work_ms', worked);
  // A person may have freed disk space since an older measurement.
  if (!disk || disk.at < s.updated_at) return null;
  if (run_bytes !== undefined && disk.run_bytes >= run_bytes) return ask(s, 'run_bytes', disk.run_bytes);
  if (project_bytes !== undefined && disk.project_bytes >= project_bytes)
    return ask(s, 'project_bytes', disk.project_bytes);
  return null;
}

/** Returns the question to ask after a runner stopped its agent because the agent printed nothing. */
export const silenceQuestion = (s: RunState): Effect => ask(s, 'silence_ms', s.limits.silence_ms ?? 0);

const ask = (s: RunState, name: LimitName, used: number): Effect => ({
  kind: 'ask',
  from: 'dure',
  why: REACHED[name].why,
  message: REACHED[name].message(used, s.limits[name] ?? used),
  limit: { name, used },
});

/** Returns when the current launch reaches its time limit, in milliseconds since 1970. */
export const deadlineOf = (s: RunState): number =>
  Date.parse(s.since!) + timeoutOf(s.setup, currentStep(s)) + s.extra_ms + (s.paused_ms ?? 0);

/** Returns how many milliseconds agents or Dure have spent working on the run, up to `at`. */
export const workedUntil = (s: RunState, at: string): number =>
  s.worked_ms + (isWorkedOn(s.phase) ? Math.max(0, Date.parse(at) - Date.parse(s.updated_at)) : 0);

/** Returns the limits after a person granted the configured amount of one of them again. */
export const raised = (s: RunState, { name, used }: ReachedLimit): Limits => ({
  ...s.limits,
  [name]: used + (s.setup.limits?.[name] ?? 0),
});
