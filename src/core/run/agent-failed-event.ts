/**
 * The event for a launch that cannot be started, whose result cannot be sealed or judged, or whose question cannot be
 * asked.
 */

import type { ErrorKind } from '../../formats/common-fields.ts';
import type { EventOf } from '../../formats/events.ts';
import type { RunState } from '../../formats/state.ts';
import { currentStep } from '../policy/pipeline.ts';

export const failedLaunch = (s: RunState, kind: ErrorKind, message: string): EventOf<'agent.failed'> => {
  const step = currentStep(s);
  return {
    at: new Date().toISOString(),
    type: 'agent.failed',
    agent: step.role,
    step: step.name,
    launch: s.launch,
    kind,
    message,
  };
};
