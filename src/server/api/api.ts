/** All endpoints under `/api`. The web UI uses only these, and each has a command-line equivalent. */

import { basename } from 'node:path';
import { z } from 'zod';
import { CONFIG_NAMES } from '../../formats/config/config.ts';
import type { ProjectFiles } from '../../formats/layout.ts';
import { otherProjects } from '../other-projects.ts';
import { type Choices, changeSetting, offering, viewSetting } from '../project-settings.ts';
import { configBody, configName, configView, otherProject, overview } from '../protocol.ts';
import type { RunAction } from '../run-actions.ts';
import type { RunIndex } from '../runs/run-index.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { actionEndpoints } from './run-action-endpoints.ts';
import { type RunsContext, runEndpoints, runsEndpoints } from './run-endpoints.ts';
import { sessionEndpoints } from './session-endpoints.ts';

export interface ApiContext extends RunsContext {
  readonly project: ProjectFiles;
  readonly sessions: Sessions;
  readonly requests: RunAction;
  readonly version: string;
  readonly plugins: readonly string[];
  readonly choices: Choices;
}

export function apiEndpoints(context: ApiContext): Endpoint[] {
  const { project, index, sessions, requests } = context;
  return [
    ...sessionEndpoints(sessions),
    ...runsEndpoints(context),
    ...runEndpoints(project),
    ...actionEndpoints(requests),
    ...settingsEndpoints(context),
    overviewEndpoint(context, index),
    otherProjectsEndpoint(project),
  ];
}

const settingsEndpoints = ({ project, plugins, choices }: ApiContext): Endpoint[] => [
  endpoint({
    method: 'get',
    path: '/api/config',
    about: 'The five configuration files.',
    answer: z.array(configView),
    serve: ({ language }) =>
      Promise.all(
        CONFIG_NAMES.map(async name =>
          offering(await viewSetting(project, name, plugins, language), choices),
        ),
      ),
  }),
  endpoint({
    method: 'get',
    path: '/api/config/:name',
    about: 'One configuration file with schema, defaults and help.',
    params: z.strictObject({ name: configName }),
    answer: configView,
    async serve({ params, language }) {
      return offering(await viewSetting(project, params.name, plugins, language), choices);
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

const otherProjectsEndpoint = (project: ProjectFiles): Endpoint =>
  endpoint({
    method: 'get',
    path: '/api/projects',
    about: "The user's other projects in which runs wait for the user, longest wait first.",
    answer: z.array(otherProject),
    serve: otherProjects(project),
  });
