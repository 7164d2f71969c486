/** The endpoints that act on a run. Each corresponds to a command. */

import { z } from 'zod';
import { runId } from '../../formats/schema/common-fields.ts';
import { type Recorded, recordedEvent } from '../http-protocol.ts';
import {
  approveBody,
  crpResponse,
  extendBody,
  rebaseBody,
  rejectBody,
  retryBody,
  stopBody,
  vcrBody,
} from '../question-and-action-protocol.ts';
import type { RunAction } from '../run-actions.ts';
import { type Endpoint, endpoint } from './endpoint.ts';

const ofRun = z.strictObject({ runId });

/** `act` performs the action called `name` on a run. */
const action = <Body extends z.ZodType>(
  name: string,
  about: string,
  body: Body,
  act: (runId: string, body: z.output<Body>) => Promise<Recorded>,
): Endpoint =>
  endpoint({
    method: 'post',
    path: `/api/runs/:runId/${name}`,
    about,
    params: ofRun,
    body,
    answer: recordedEvent,
    serve: ({ params, body: given }) => act(params.runId, given as z.output<Body>),
  });

export const actionEndpoints = (requests: RunAction): Endpoint[] => [
  action(
    'vcr',
    'Answers the open question. Responds when `vcr.created` is recorded.',
    z.union([vcrBody, crpResponse]),
    requests.answer,
  ),
  action('stop', 'Stops the run.', stopBody, requests.stop),
  action('retry', 'Restarts the running agent.', retryBody, requests.retry),
  action('extend', 'Extends the time limit of the running agent.', extendBody, requests.extend),
  action('approve', 'Merges exactly the tree that was shown.', approveBody, requests.approve),
  action(
    'rebase',
    'Rebases the result onto a branch that has moved. Responds when `run.rebased` is recorded.',
    rebaseBody,
    requests.rebase,
  ),
  action('reject', 'Requests changes, with comments by file and line.', rejectBody, requests.reject),
];
