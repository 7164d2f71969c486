/**
 * The run's briefing as the user wrote it. The log takes precedence, because an agent may have changed the file since.
 */

import { unlessDiskFails } from '../../files/temporary-disk-errors.ts';
import type { RunFiles } from '../../formats/layout.ts';
import { readText } from '../../formats/read-and-write-files.ts';
import { firstEvent } from './read-run-record.ts';

export const briefingOf = async (files: RunFiles): Promise<string> =>
  (await firstEvent(files))?.briefing ?? (await readText(files.raw).catch(unlessDiskFails(null))) ?? '';
