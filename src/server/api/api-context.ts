/** What the endpoints of the API need to answer requests. */

import type { ProjectFiles } from '../../formats/layout.ts';
import type { Choices } from '../project-settings.ts';
import type { RunAction } from '../run-actions.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { RunsContext } from './run-endpoints.ts';

export interface ApiContext extends RunsContext {
  readonly project: ProjectFiles;
  readonly sessions: Sessions;
  readonly requests: RunAction;
  readonly version: string;
  readonly plugins: readonly string[];
  readonly choices: Choices;
}
