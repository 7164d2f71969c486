/** The endpoints that act on a run. Each corresponds to a command. */

import { z } from 'zod';
import { runId } from '../formats/common-fields.ts';
import {
  approveBody,
  crpResponse,
  extendBody,
  rebaseBody,
  rejectBody,
  retryBody,
  stopBody,
  vcrBody,
} from './decision-protocol.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { recordedEvent } from './protocol.ts';
import { asVcr, type RunAction } from './run-actions.ts';

const ofRun = z.strictObject({ runId });

export const actionEndpoints = (requests: RunAction): Endpoint[] => [
  endpoint({
    method: 'post',
    path: '/api/runs/:runId/vcr',
    about: 'Answers the open question. Responds when `vcr.created` is recorded.',
    params: ofRun,
    body: z.union([vcrBody, crpResponse]),
    answer: recordedEvent,
    serve: ({ params, body }) => requests.answer(params.runId, asVcr(body)),
  }),
  endpoint({
    method: 'post',
    path: '/api/runs/:runId/stop',
    about: 'Stops the run.',
    params: ofRun,
    body: stopBody,
    answer: recordedEvent,
    serve: ({ params, body }) => requests.stop(params.runId, body.reason ?? ''),
  }),
  endpoint({
    method: 'post',
    path: '/api/runs/:runId/retry',
    about: 'Restarts the running agent.',
    params: ofRun,
    body: retryBody,
    answer: recordedEvent,
    serve: ({ params, body }) => requests.retry(params.runId, body.agent),
  }),
  endpoint({
    method: 'post',
    path: '/api/runs/:runId/extend',
    about: 'Extends the time limit of the running agent.',
    params: ofRun,
    body: extendBody,
    answer: recordedEvent,
    serve: ({ params, body }) => requests.extend(params.runId, body.ms),
  }),
  endpoint({
    method: 'post',
    path: '/api/runs/:runId/approve',
    about: 'Merges exactly the tree that was shown.',
    params: ofRun,
    body: approveBody,
    answer: recordedEvent,
    serve: ({ params, body }) => requests.approve(params.runId, body),
  }),
  endpoint({
    method: 'post',
    path: '/api/runs/:runId/rebase',
    about: 'Rebases the result on a branch that has moved. Responds when `run.rebased` is recorded.',
    params: ofRun,
    body: rebaseBody,
    answer: recordedEvent,
    serve: ({ params, body }) => requests.rebase(params.runId, body.onto ?? null),
  }),
  endpoint({
    method: 'post',
    path: '/api/runs/:runId/reject',
    about: 'Requests changes, with comments by file and line.',
    params: ofRun,
    body: rejectBody,
    answer: recordedEvent,
    serve: ({ params, body }) => requests.reject(params.runId, body.tree, body.feedback, body.comments),
  }),
];
