/** The endpoints of the overview page. */

import { basename } from 'node:path';
import { z } from 'zod';
import { otherProject, overview } from '../http-protocol.ts';
import { otherProjects } from '../runs-waiting-in-other-projects.ts';
import type { ApiContext } from './api-context.ts';
import { type Endpoint, endpoint } from './endpoint.ts';

export const overviewEndpoints = ({ project, index, version }: ApiContext): Endpoint[] => [
  endpoint({
    method: 'get',
    path: '/api/overview',
    about: 'Waiting, active and recent runs, and the total cost.',
    answer: overview,
    async serve() {
      await index.refresh();
      return { project: { name: basename(project.root), root: project.root }, version, ...index.overview() };
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/projects',
    about: "The user's other projects in which runs wait for the user, longest wait first.",
    answer: z.array(otherProject),
    serve: otherProjects(project),
  }),
];
