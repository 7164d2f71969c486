/** Every endpoint under `/api`. The web UI uses only these, and each has a command-line equivalent. */

import { basename } from 'node:path';
import { z } from 'zod';
import { crpId, role, runId } from '../formats/define-file.ts';
import type { ProjectFiles } from '../formats/layout.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import {
  approveBody,
  configBody,
  configName,
  configView,
  crpResponse,
  crps,
  crpView,
  eventsPage,
  extendBody,
  mrpView,
  overview,
  proofBody,
  recordedEvent,
  rejectBody,
  retryBody,
  runsPage,
  runsQuery,
  runView,
  type StartBody,
  session,
  sessionBody,
  sessionProof,
  startBody,
  started,
  stopBody,
  streamPage,
  streamQuery,
  vcrBody,
} from './protocol.ts';
import { launchesOf, readPiece, startOfTail } from './read-agent-output.ts';
import { readArtefact } from './read-artifact.ts';
import { HttpRefusal } from './refusal.ts';
import { asVcr, type RunAction, runAt, stateAt } from './run-actions.ts';
import type { RunIndex } from './run-index.ts';
import type { Sessions } from './sessions.ts';
import { type Choices, changeSetting, offering, viewSetting, viewSettings } from './settings.ts';
import { viewCrp, viewCrps, viewEvents, viewMrp, viewRun } from './views.ts';

/** Maximum bytes of a raw stream per response. */
const STREAM_PIECE = 256_000;

export interface ApiContext {
  readonly project: ProjectFiles;
  readonly index: RunIndex;
  readonly sessions: Sessions;
  readonly requests: RunAction;
  readonly version: string;
  readonly plugins: readonly string[];
  readonly choices: Choices;
  start(request: StartBody): Promise<{ runId: string }>;
}

const ofRun = z.strictObject({ runId });
const emptyBody = z.strictObject({});

export function apiEndpoints(context: ApiContext): Endpoint[] {
  const { project, index, sessions, requests } = context;
  return [
    ...sessionEndpoints(sessions),
    ...runsEndpoints(context),
    ...runEndpoints(project),
    ...actionEndpoints(requests),
    ...settingsEndpoints(context),
    overviewEndpoint(context, index),
  ];
}

const sessionEndpoints = (sessions: Sessions): Endpoint[] => [
  endpoint({
    method: 'post',
    path: '/api/session',
    about: 'Exchanges the one-time code from the URL for a session.',
    open: true,
    body: sessionBody,
    answer: session,
    async serve({ body }) {
      const token = await sessions.exchange(body.code);
      if (token === null)
        throw new HttpRefusal(401, 'E_CODE', 'This code is wrong, expired or already used.');
      return { token };
    },
  }),
  endpoint({
    method: 'post',
    path: '/api/session/proof',
    about: 'Proves to a page that this server knows its session, before the page sends its own proof.',
    open: true,
    body: proofBody,
    answer: sessionProof,
    async serve({ body }) {
      const proven = sessions.prove(body.id, body.nonce);
      if (!proven) throw new HttpRefusal(401, 'E_TOKEN', 'There is no such session.');
      return proven;
    },
  }),
  endpoint({
    method: 'post',
    path: '/api/session/code',
    about: 'Creates a one-time code for opening a browser: `<url>/#code=<code>`.',
    body: emptyBody,
    answer: z.object({ code: z.string() }),
    async serve() {
      return { code: sessions.code() };
    },
  }),
];

const runsEndpoints = ({ index, start }: ApiContext): Endpoint[] => [
  endpoint({
    method: 'get',
    path: '/api/runs',
    about: 'Lists runs, with search, filter, sort and paging.',
    query: runsQuery,
    answer: runsPage,
    async serve({ query }) {
      await index.refresh();
      return index.page(query);
    },
  }),
  endpoint({
    method: 'post',
    path: '/api/runs',
    about: 'Starts a run.',
    body: startBody,
    answer: started,
    status: 201,
    async serve({ body }) {
      const { runId: run_id } = await start(body);
      await index.refresh();
      return { ok: true as const, run_id };
    },
  }),
];

const runEndpoints = (project: ProjectFiles): Endpoint[] => [
  endpoint({
    method: 'get',
    path: '/api/runs/:runId',
    about: 'The state of a run: state.json plus derived fields for the pages.',
    params: ofRun,
    answer: runView,
    async serve({ params: { runId: id } }) {
      return viewRun(await runAt(project, id), id);
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/runs/:runId/events',
    about: 'Events with a sequence number greater than `since`.',
    params: ofRun,
    query: z.strictObject({ since: z.coerce.number().int().nonnegative().default(0) }),
    answer: eventsPage,
    async serve({ params, query }) {
      return viewEvents(await runAt(project, params.runId), query.since);
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/runs/:runId/crp',
    about: 'Pending and answered questions.',
    params: ofRun,
    answer: crps,
    async serve({ params: { runId: id } }) {
      return viewCrps(await runAt(project, id), id);
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/runs/:runId/crp/:crpId',
    about: 'One question with its answer.',
    params: z.strictObject({ runId, crpId }),
    answer: crpView,
    async serve({ params }) {
      return viewCrp(await runAt(project, params.runId), params.runId, params.crpId);
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/runs/:runId/mrp',
    about: 'The merge-readiness pack.',
    params: ofRun,
    answer: mrpView,
    async serve({ params: { runId: id } }) {
      return viewMrp(project, await runAt(project, id), id);
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/runs/:runId/streams/:role',
    about: 'The output of an agent, as readable text.',
    params: z.strictObject({ runId, role }),
    query: streamQuery,
    answer: streamPage,
    async serve({ params, query }) {
      const files = await runAt(project, params.runId);
      const launches = await launchesOf(files, params.role);
      const launch = query.launch ?? launches.at(-1) ?? null;
      if (launch === null)
        return { role: params.role, launch, launches, offset: 0, next: 0, size: 0, lines: [] };
      const file = files.stream(params.role, launch);
      const offset = query.tail === undefined ? query.offset : await startOfTail(file, query.tail);
      const piece = await readPiece(file, offset, STREAM_PIECE, query.raw === '1');
      return { role: params.role, launch, launches, offset, ...piece };
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/runs/:runId/artefacts/*path',
    about: 'A file of the run folder, as a plain-text download.',
    params: z.strictObject({ runId, path: z.array(z.string()).max(40) }),
    answer: 'file',
    async serve({ params }) {
      const files = await runAt(project, params.runId);
      const state = await stateAt(files, params.runId);
      return readArtefact(
        files.dir,
        params.path,
        state.setup.pipeline.map(step => step.folder),
      );
    },
  }),
];

const actionEndpoints = (requests: RunAction): Endpoint[] => [
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
    path: '/api/runs/:runId/reject',
    about: 'Requests changes, with comments by file and line.',
    params: ofRun,
    body: rejectBody,
    answer: recordedEvent,
    serve: ({ params, body }) => requests.reject(params.runId, body.tree, body.feedback, body.comments),
  }),
];

const settingsEndpoints = ({ project, plugins, choices }: ApiContext): Endpoint[] => [
  endpoint({
    method: 'get',
    path: '/api/config',
    about: 'The five configuration files.',
    answer: z.array(configView),
    async serve() {
      return (await viewSettings(project, plugins)).map(view => offering(view, choices));
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/config/:name',
    about: 'One configuration file with schema, defaults and help.',
    params: z.strictObject({ name: configName }),
    answer: configView,
    async serve({ params }) {
      return offering(await viewSetting(project, params.name, plugins), choices);
    },
  }),
  endpoint({
    method: 'put',
    path: '/api/config/:name',
    about: 'Replaces one configuration file. Invalid values are reported by field and nothing is written.',
    params: z.strictObject({ name: configName }),
    body: configBody,
    answer: configView,
    async serve({ params, body }) {
      const changed = await changeSetting(project, params.name, body.value, body.confirm, plugins);
      return offering(changed, choices);
    },
  }),
];

const overviewEndpoint = ({ project, version }: ApiContext, index: RunIndex): Endpoint =>
  endpoint({
    method: 'get',
    path: '/api/overview',
    about: 'Waiting, active and recent runs, and the total cost.',
    answer: overview,
    async serve() {
      await index.refresh();
      return { project: { name: basename(project.root), root: project.root }, version, ...index.overview() };
    },
  });
