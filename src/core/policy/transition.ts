/** What `decide` returns: an event, or an effect that must be performed before its event is recorded. */

import type { Crp, Vcr } from '../../formats/crp-and-vcr.ts';
import type { DecidedBy, Proven } from '../../formats/decision-provenance.ts';
import type { EventOf, RunEvent } from '../../formats/events/events.ts';
import type { ReachedLimit } from '../../formats/limits-and-reached-limits.ts';
import type { AskReason } from '../../formats/question-reasons-and-effects.ts';
import type { PersonRequest } from '../../formats/requests-and-feedback.ts';
import type { ErrorKind } from '../../formats/schema/common-fields.ts';
import type { RunState } from '../../formats/state.ts';
import type { Verdict } from '../../formats/verdict.ts';
import type { Observation } from './observation.ts';
import { currentStep } from './pipeline/look-up-steps.ts';
import { effectOfAnswer } from './questions/dure-questions-and-answers.ts';

/** Work that has to be done before an event can be recorded. The event may record a failure or a refusal. */
export type Effect =
  | { kind: 'seal' }
  | { kind: 'judge'; verdict: Verdict }
  | { kind: 'ask'; from: 'file'; file: string; hash: string; crp: Crp }
  | { kind: 'ask'; from: 'consult' }
  | { kind: 'ask'; from: 'dure'; why: AskReason; message: string; limit?: ReachedLimit; unknown_cost?: true }
  | { kind: 'recommend'; crp: string }
  | { kind: 'set-up'; vcr: Vcr }
  | { kind: 'pack'; changed: readonly string[] }
  | { kind: 'merge'; request: PersonRequest<'approve'> }
  | { kind: 'rebase'; request: PersonRequest<'rebase'> }
  | { kind: 'write-conflict'; iteration: EventOf<'iteration.started'> };
export type Transition = RunEvent | Effect;

/** Returns the fields that name the launch to which an event belongs. */
export const ofLaunch = (s: RunState) => {
  const step = currentStep(s);
  return { agent: step.role, step: step.name, launch: s.launch };
};

/** Returns who decided, for the event that records a decision. */
export function byOf({ by }: { readonly by?: Proven | undefined }): { by?: DecidedBy } {
  if (!by) return {};
  const { proof: _, signature: __, ...decidedBy } = by;
  return { by: decidedBy };
}

/** Creates the event for a valid answer to the open question. `effectOfAnswer` must not return null for this answer. */
export const answeredBy = (s: RunState, vcr: Vcr, at: string): EventOf<'vcr.created'> => ({
  at,
  type: 'vcr.created',
  vcr_id: vcr.vcr_id,
  crp_id: vcr.crp_id,
  decision: vcr.decision,
  rationale: vcr.rationale,
  ...effectOfAnswer(s, vcr)!,
  applies_to_future: vcr.applies_to_future,
  ...(vcr.unattended && { unattended: true }),
  ...byOf(vcr),
});

/**
 * Creates the event for a failed launch. It lists the questions that could not be asked, so that the next launch
 * learns of them and does not fail because of them again.
 */
export function failed(
  s: RunState,
  { at, questions, badQuestion: bad }: Observation,
  kind: ErrorKind,
  message: string,
): EventOf<'agent.failed'> {
  const left = [...questions, ...(bad ? [bad] : [])].map(({ file, hash }) => ({ file, hash }));
  const unread = bad && `crp/${bad.file}.json is not valid: ${bad.problem}`;
  return {
    at,
    type: 'agent.failed',
    ...ofLaunch(s),
    kind,
    message: unread ? `${message}\n${unread}` : message,
    ...(left.length > 0 && { passed_over: left }),
  };
}
