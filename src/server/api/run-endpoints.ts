/** The endpoints that list, start and show runs. */

import { z } from 'zod';
import { launchesOf } from '../../core/run/launch/launches-with-output.ts';
import { findRun } from '../../core/run/run-store.ts';
import type { RunFiles } from '../../formats/layout.ts';
import { crpId, isPathInside, role, runId } from '../../formats/schema/common-fields.ts';
import {
  eventsPage,
  runsPage,
  runsQuery,
  runView,
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
import { viewCrp, viewCrps, viewEvents, viewRun } from '../runs/run-views.ts';
import type { ApiContext } from './api-context.ts';
import { type Answer, type Endpoint, endpoint, type Shape, type Validated } from './endpoint.ts';

/** Maximum number of bytes of a raw stream per response. */
const STREAM_PIECE = 256_000;

export const runsEndpoints = ({ index, start }: ApiContext): Endpoint[] => [
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

const ofRun = z.strictObject({ runId });
const ofPack = z.strictObject({ runId, pack: z.coerce.number().int().min(1).max(100_000) });

interface DescribedView<P, Q, A> {
  /** Appended to `/api/runs/:runId`. */
  readonly path: string;
  readonly about: string;
  /** The default is `ofRun`. */
  readonly params?: P;
  readonly query?: Q;
  readonly answer: A;
  serve(files: RunFiles, asked: { params: Validated<P>; query: Validated<Q> }): Answer<A>;
}

export function runEndpoints({ project }: ApiContext): Endpoint[] {
  const view = <A extends Shape | 'file', P extends typeof ofRun = typeof ofRun, Q = undefined>(
    described: DescribedView<P, Q, A>,
  ): Endpoint =>
    endpoint({
      ...described,
      method: 'get',
      path: `/api/runs/:runId${described.path}`,
      params: described.params ?? ofRun,
      serve: async ({ params, query }) =>
        described.serve(await findRun(project, params.runId), { params: params as Validated<P>, query }),
    });
  return [
    view({
      path: '',
      about: 'The state of a run: state.json plus derived fields for the pages.',
      answer: runView,
      serve: viewRun,
    }),
    view({
      path: '/events',
      about: 'Events with a sequence number greater than `since`.',
      query: z.strictObject({ since: z.coerce.number().int().nonnegative().default(0) }),
      answer: eventsPage,
      serve: (files, { query }) => viewEvents(files, query.since),
    }),
    view({ path: '/crp', about: 'Pending and answered questions.', answer: crps, serve: viewCrps }),
    view({
      path: '/crp/:crpId',
      about: 'One question with its answer.',
      params: z.strictObject({ runId, crpId }),
      answer: crpView,
      serve: (files, { params }) => viewCrp(files, params.crpId),
    }),
    view({
      path: '/mrp',
      about: 'The merge-readiness pack.',
      answer: mrpView,
      serve: files => viewMrp(project, files),
    }),
    view({
      path: '/packs/:pack',
      about: 'One pack by its number: the current one, or an earlier one for which changes were requested.',
      params: ofPack,
      answer: mrpView,
      serve: (files, { params }) => viewPackNumbered(project, files, params.pack),
    }),
    view({
      path: '/packs/:pack/since',
      about: 'The changes requested for the previous pack, and what has changed since.',
      params: ofPack,
      answer: sinceView,
      serve: (files, { params }) => viewSince(project, files, params.pack),
    }),
    view({
      path: '/packs/:pack/file',
      about: 'A whole file of the result or of its base, as a plain-text download.',
      params: ofPack,
      query: z.strictObject({
        side: z.enum(['old', 'new']),
        path: z.string().min(1).max(4000).refine(isPathInside, 'expected a path in the repository'),
      }),
      answer: 'file',
      serve: (files, { params, query }) => readPackFile(project, files, params.pack, query),
    }),
    view({
      path: '/streams/:role',
      about: 'The output of an agent, as readable text.',
      params: z.strictObject({ runId, role }),
      query: streamQuery,
      answer: streamPage,
      async serve(files, { params, query }) {
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
    view({
      path: '/artefacts/*path',
      about: 'A file of the run folder, as a plain-text download.',
      params: z.strictObject({ runId, path: z.array(z.string()).max(40) }),
      answer: 'file',
      async serve(files, { params }) {
        const { setup } = await recordedState(files);
        return readArtefact(
          files.dir,
          params.path,
          setup.pipeline.map(step => step.folder),
        );
      },
    }),
  ];
}
