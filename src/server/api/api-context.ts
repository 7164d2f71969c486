/** What the endpoints of the API need to answer requests. */

import type { ProjectFiles } from '../../formats/layout.ts';
import type { StartBody } from '../http-protocol.ts';
import type { Choices } from '../project-settings.ts';
import type { RunAction } from '../run-actions.ts';
import type { RunIndex } from '../runs/run-index.ts';
import type { Sessions } from '../sessions/sessions.ts';

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
