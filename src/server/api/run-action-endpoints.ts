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
import { asVcr, type RunAction } from '../run-actions.ts';
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
    (id, body) => requests.answer(id, asVcr(body)),
  ),
  action('stop', 'Stops the run.', stopBody, (id, { reason = '' }) => requests.stop(id, reason)),
  action('retry', 'Restarts the running agent.', retryBody, (id, { agent }) => requests.retry(id, agent)),
  action('extend', 'Extends the time limit of the running agent.', extendBody, (id, { ms }) =>
    requests.extend(id, ms),
  ),
  action('approve', 'Merges exactly the tree that was shown.', approveBody, (id, body) =>
    requests.approve(id, body),
  ),
  action(
    'rebase',
    'Rebases the result onto a branch that has moved. Responds when `run.rebased` is recorded.',
    rebaseBody,
    (id, { onto = null }) => requests.rebase(id, onto),
  ),
  action(
    'reject',
    'Requests changes, with comments by file and line.',
    rejectBody,
    (id, { tree, feedback, comments }) => requests.reject(id, tree, feedback, comments),
  ),
];
