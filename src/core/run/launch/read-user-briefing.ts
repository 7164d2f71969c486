/**
 * Reads the run's briefing as the user wrote it. Uses the log, because an agent may have changed the file since.
 */

import type { RunFiles } from '../../../formats/layout.ts';
import { firstEvent } from '../record/read-run-record.ts';

export const briefingOf = async (files: RunFiles): Promise<string> =>
  (await firstEvent(files))?.briefing ?? '';
