/** All endpoints under `/api`. The web UI uses only these, and each has a command-line equivalent. */

import type { ProjectFiles } from '../../formats/layout.ts';
import type { Choices } from '../project-settings.ts';
import type { RunAction } from '../run-actions.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { Endpoint } from './endpoint.ts';
import { otherProjectsEndpoint, overviewEndpoint } from './overview-endpoints.ts';
import { actionEndpoints } from './run-action-endpoints.ts';
import { type RunsContext, runEndpoints, runsEndpoints } from './run-endpoints.ts';
import { sessionEndpoints } from './session-endpoints.ts';
import { settingsEndpoints } from './settings-endpoints.ts';

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
