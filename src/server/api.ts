/** Every endpoint below `/api`: all that the pages can do, and nothing that the command line cannot. */
import { basename } from 'node:path';
import { z } from 'zod';
import { crpId, role, runId } from '../formats/define.ts';
import type { ProjectFiles } from '../formats/layout.ts';
import { readArtefact } from './artefact.ts';
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
  proof,
  proofBody,
  recorded,
  rejectBody,
  retryBody,
  runsPage,
  runsQuery,
  runView,
  type StartBody,
  session,
  sessionBody,
  startBody,
  started,
  stopBody,
  streamPage,
  streamQuery,
  vcrBody,
} from './protocol.ts';
import { launchesOf, readPiece } from './raw-stream.ts';
import { Refusal } from './refusal.ts';
import type { RunIndex } from './run-index.ts';
import type { Sessions } from './sessions.ts';
import { changeSetting, offering, viewSetting, viewSettings } from './settings.ts';
import { viewCrp, viewCrps, viewEvents, viewMrp, viewRun } from './views.ts';
import { asVcr, runAt, stateAt, type Word } from './word.ts';

/** Bytes of a raw stream that one request is given. */
const STREAM_PIECE = 256_000;

export interface Desk {
  readonly project: ProjectFiles;
  readonly index: RunIndex;
  readonly sessions: Sessions;
  readonly word: Word;
  readonly version: string;
  readonly plugins: readonly string[];
  readonly backends: readonly string[];
  start(wish: StartBody): Promise<{ runId: string }>;
}

const ofRun = z.strictObject({ runId });
const none = z.strictObject({});

export function endpoints(desk: Desk): Endpoint[] {
  const { project, index, sessions, word } = desk;
  return [
    ...ofSession(sessions),
    ...ofRuns(desk),
    ...ofOneRun(project),
    ...ofWords(word),
    ...ofSettings(desk),
    ofOverview(desk, index),
  ];
}

const ofSession = (sessions: Sessions): Endpoint[] => [
  endpoint({
    method: 'post',
    path: '/api/session',
    about: 'Exchanges the one-time code of the address for a session.',
    open: true,
    body: sessionBody,
    answer: session,
    async serve({ body }) {
      const token = await sessions.exchange(body.code);
      if (token === null) throw new Refusal(401, 'E_CODE', 'This code is wrong, was used, or is too old.');
      return { token };
    },
  }),
  endpoint({
    method: 'post',
    path: '/api/session/proof',
    about: 'Proves to a page, before it shows its pass, that this server knows its session.',
    open: true,
    body: proofBody,
    answer: proof,
    async serve({ body }) {
      const proven = sessions.prove(body.id, body.nonce);
      if (!proven) throw new Refusal(401, 'E_TOKEN', 'There is no such session.');
      return proven;
    },
  }),
  endpoint({
    method: 'post',
    path: '/api/session/code',
    about: 'A new one-time code, for opening a browser: `<url>/#code=<code>`.',
    body: none,
    answer: z.object({ code: z.string() }),
    async serve() {
      return { code: sessions.code() };
    },
  }),
];

const ofRuns = ({ index, start }: Desk): Endpoint[] => [
  endpoint({
    method: 'get',
    path: '/api/runs',
    about: 'Runs, searched, filtered, sorted and in pages.',
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

const ofOneRun = (project: ProjectFiles): Endpoint[] => [
  endpoint({
    method: 'get',
    path: '/api/runs/:runId',
    about: 'Where a run stands: state.json, and what pages want beside it.',
    params: ofRun,
    answer: runView,
    async serve({ params: { runId: id } }) {
      return viewRun(await runAt(project, id), id);
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/runs/:runId/events',
    about: 'Events behind the one with number `since`.',
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
    about: 'Pending questions, and those that were answered.',
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
      return viewMrp(await runAt(project, id), id);
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/runs/:runId/streams/:role',
    about: 'What an agent printed, readable.',
    params: z.strictObject({ runId, role }),
    query: streamQuery,
    answer: streamPage,
    async serve({ params, query }) {
      const files = await runAt(project, params.runId);
      const launches = await launchesOf(files, params.role);
      const launch = query.launch ?? launches.at(-1) ?? null;
      const { offset } = query;
      const empty = { lines: [], next: offset, size: 0 };
      const piece =
        launch === null
          ? empty
          : await readPiece(files.stream(params.role, launch), offset, STREAM_PIECE, query.raw === '1');
      return { role: params.role, launch, launches, offset, ...piece };
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/runs/:runId/artefacts/*path',
    about: 'A file of the run folder, as plain text to be saved.',
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

const ofWords = (word: Word): Endpoint[] => [
  endpoint({
    method: 'post',
    path: '/api/runs/:runId/vcr',
    about: 'Answers the open question. Done when `vcr.created` is recorded.',
    params: ofRun,
    body: z.union([vcrBody, crpResponse]),
    answer: recorded,
    serve: ({ params, body }) => word.answer(params.runId, asVcr(body)),
  }),
  endpoint({
    method: 'post',
    path: '/api/runs/:runId/stop',
    about: 'Stops the run.',
    params: ofRun,
    body: stopBody,
    answer: recorded,
    serve: ({ params, body }) => word.stop(params.runId, body.reason ?? ''),
  }),
  endpoint({
    method: 'post',
    path: '/api/runs/:runId/retry',
    about: 'Starts the agent at work anew.',
    params: ofRun,
    body: retryBody,
    answer: recorded,
    serve: ({ params, body }) => word.retry(params.runId, body.agent),
  }),
  endpoint({
    method: 'post',
    path: '/api/runs/:runId/extend',
    about: 'Gives the agent at work more time.',
    params: ofRun,
    body: extendBody,
    answer: recorded,
    serve: ({ params, body }) => word.extend(params.runId, body.ms),
  }),
  endpoint({
    method: 'post',
    path: '/api/runs/:runId/approve',
    about: 'Merges exactly the tree that was shown.',
    params: ofRun,
    body: approveBody,
    answer: recorded,
    serve: ({ params, body }) => word.approve(params.runId, body.tree, body.how),
  }),
  endpoint({
    method: 'post',
    path: '/api/runs/:runId/reject',
    about: 'Asks for changes, with comments by file and line.',
    params: ofRun,
    body: rejectBody,
    answer: recorded,
    serve: ({ params, body }) => word.reject(params.runId, body.tree, body.feedback, body.comments),
  }),
];

const ofSettings = ({ project, plugins, backends }: Desk): Endpoint[] => [
  endpoint({
    method: 'get',
    path: '/api/config',
    about: 'The five files of configuration.',
    answer: z.array(configView),
    async serve() {
      return (await viewSettings(project, plugins)).map(view => offering(view, backends));
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/config/:name',
    about: 'One file of configuration with schema, defaults and help.',
    params: z.strictObject({ name: configName }),
    answer: configView,
    async serve({ params }) {
      return offering(await viewSetting(project, params.name, plugins), backends);
    },
  }),
  endpoint({
    method: 'put',
    path: '/api/config/:name',
    about: 'Replaces one file; mistakes are named by field and change nothing.',
    params: z.strictObject({ name: configName }),
    body: configBody,
    answer: configView,
    async serve({ params, body }) {
      const changed = await changeSetting(project, params.name, body.value, body.confirm, plugins);
      return offering(changed, backends);
    },
  }),
];

const ofOverview = ({ project, version }: Desk, index: RunIndex): Endpoint =>
  endpoint({
    method: 'get',
    path: '/api/overview',
    about: 'What waits for a person, what is at work, what was, and what it cost.',
    answer: overview,
    async serve() {
      await index.refresh();
      return { project: { name: basename(project.root), root: project.root }, version, ...index.overview() };
    },
  });
