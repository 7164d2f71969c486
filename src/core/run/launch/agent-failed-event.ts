/**
 * Makes the event for a launch that cannot be started, whose result cannot be sealed or judged, or whose question
 * cannot be asked.
 */

import type { EventOf } from '../../../formats/events/events.ts';
import type { ErrorKind } from '../../../formats/schema/common-fields.ts';
import type { RunState } from '../../../formats/state.ts';
import { ofLaunch } from '../../policy/transition.ts';

export const failedLaunch = (s: RunState, kind: ErrorKind, message: string): EventOf<'agent.failed'> => ({
  at: new Date().toISOString(),
  type: 'agent.failed',
  ...ofLaunch(s),
  kind,
  message,
});
