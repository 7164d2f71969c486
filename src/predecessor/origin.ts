/** Where a run comes from that Dure did not make: it is history, and nothing of it is ever driven. */

import { loadOrigin } from '../formats/fast-read.ts';
import type { RunFiles } from '../formats/layout.ts';
import type { Origin } from '../formats/origin.ts';

export type { Origin } from '../formats/origin.ts';

/** Null for a run that Dure made. */
export const readOrigin = (files: RunFiles): Promise<Origin | null> => loadOrigin(files.origin);
