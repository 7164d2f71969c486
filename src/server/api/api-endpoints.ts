/** All endpoints under `/api`. The web UI uses only these, and each has a command-line equivalent. */

import type { ApiContext } from './api-context.ts';
import type { Endpoint } from './endpoint.ts';
import { overviewEndpoints } from './overview-endpoints.ts';
import { actionEndpoints } from './run-action-endpoints.ts';
import { runEndpoints, runsEndpoints } from './run-endpoints.ts';
import { sessionEndpoints } from './session-endpoints.ts';
import { settingsEndpoints } from './settings-endpoints.ts';

export const apiEndpoints = (context: ApiContext): Endpoint[] => [
  ...sessionEndpoints(context),
  ...runsEndpoints(context),
  ...runEndpoints(context),
  ...actionEndpoints(context.requests),
  ...settingsEndpoints(context),
  ...overviewEndpoints(context),
];
