/** All endpoints under `/api`. The web UI uses only these, and each has a command-line equivalent. */

import type { ApiContext } from './api-context.ts';
import type { Endpoint } from './endpoint.ts';
import { otherProjectsEndpoint, overviewEndpoint } from './overview-endpoints.ts';
import { actionEndpoints } from './run-action-endpoints.ts';
import { runEndpoints, runsEndpoints } from './run-endpoints.ts';
import { sessionEndpoints } from './session-endpoints.ts';
import { settingsEndpoints } from './settings-endpoints.ts';

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
