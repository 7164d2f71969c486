/** The endpoints that list, start and show runs. */

import { z } from 'zod';
import { launchesOf } from '../../core/run/launch/launches-with-output.ts';
import { findRun } from '../../core/run/run-store.ts';
import type { ProjectFiles } from '../../formats/layout.ts';
import { crpId, isPathInside, role, runId } from '../../formats/schema/common-fields.ts';
import {
  eventsPage,
  runsPage,
  runsQuery,
  runView,
  type StartBody,
  startBody,
  started,
  streamPage,
  streamQuery,
} from '../http-protocol.ts';
import { mrpView, sinceView } from '../pack-protocol.ts';
import { crps, crpView } from '../question-and-action-protocol.ts';
import { viewMrp, viewPackNumbered, viewSince } from '../runs/pack-views.ts';
import { asRendered, asWritten, readPiece, startOfTail } from '../runs/read-agent-output.ts';
import { readArtefact } from '../runs/read-artefact.ts';
import { readPackFile } from '../runs/read-result-or-base-file.ts';
import { recordedState } from '../runs/recorded-state.ts';
import type { RunIndex } from '../runs/run-index.ts';
import { viewCrp, viewCrps, viewEvents, viewRun } from '../runs/run-views.ts';
import { type Endpoint, endpoint } from './endpoint.ts';

/** Maximum number of bytes of a raw stream per response. */
const STREAM_PIECE = 256_000;

const ofRun = z.strictObject({ runId });
const ofPack = z.strictObject({ runId, pack: z.coerce.number().int().min(1).max(100_000) });

export interface RunsContext {
  readonly index: RunIndex;
  start(request: StartBody): Promise<{ runId: string }>;
}

export const runsEndpoints = ({ index, start }: RunsContext): Endpoint[] => [
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

export const runEndpoints = (project: ProjectFiles): Endpoint[] => [
  endpoint({
    method: 'get',
    path: '/api/runs/:runId',
    about: 'The state of a run: state.json plus derived fields for the pages.',
    params: ofRun,
    answer: runView,
    async serve({ params }) {
      return viewRun(await findRun(project, params.runId));
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
      return viewEvents(await findRun(project, params.runId), query.since);
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/runs/:runId/crp',
    about: 'Pending and answered questions.',
    params: ofRun,
    answer: crps,
    async serve({ params }) {
      return viewCrps(await findRun(project, params.runId));
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/runs/:runId/crp/:crpId',
    about: 'One question with its answer.',
    params: z.strictObject({ runId, crpId }),
    answer: crpView,
    async serve({ params }) {
      return viewCrp(await findRun(project, params.runId), params.crpId);
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/runs/:runId/mrp',
    about: 'The merge-readiness pack.',
    params: ofRun,
    answer: mrpView,
    async serve({ params }) {
      return viewMrp(project, await findRun(project, params.runId));
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/runs/:runId/packs/:pack',
    about: 'One pack by its number: the current one, or an earlier one for which changes were requested.',
    params: ofPack,
    answer: mrpView,
    async serve({ params }) {
      return viewPackNumbered(project, await findRun(project, params.runId), params.pack);
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/runs/:runId/packs/:pack/since',
    about: 'The changes requested for the previous pack, and what has changed since.',
    params: ofPack,
    answer: sinceView,
    async serve({ params }) {
      return viewSince(project, await findRun(project, params.runId), params.pack);
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/runs/:runId/packs/:pack/file',
    about: 'A whole file of the result or of its base, as a plain-text download.',
    params: ofPack,
    query: z.strictObject({
      side: z.enum(['old', 'new']),
      path: z.string().min(1).max(4000).refine(isPathInside, 'expected a path in the repository'),
    }),
    answer: 'file',
    async serve({ params, query }) {
      return readPackFile(project, await findRun(project, params.runId), params.pack, query);
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
      const files = await findRun(project, params.runId);
      const launches = await launchesOf(files, params.role);
      const launch = query.launch ?? launches.at(-1) ?? null;
      if (launch === null)
        return { role: params.role, launch, launches, offset: 0, next: 0, size: 0, lines: [] };
      const file = files.stream(params.role, launch);
      const offset = query.tail === undefined ? query.offset : await startOfTail(file, query.tail);
      const show = query.raw === '1' ? asWritten : asRendered;
      const piece = await readPiece(file, offset, STREAM_PIECE, show);
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
      const files = await findRun(project, params.runId);
      const state = await recordedState(files);
      return readArtefact(
        files.dir,
        params.path,
        state.setup.pipeline.map(step => step.folder),
      );
    },
  }),
];
