/** Where an imported run comes from. Imported runs are history and are never driven. */

import { loadOrigin } from '../formats/fast-read.ts';
import type { RunFiles } from '../formats/layout.ts';
import type { Origin } from '../formats/origin.ts';

export type { Origin } from '../formats/origin.ts';

/** Null for a run that Dure created. */
export const readOrigin = (files: RunFiles): Promise<Origin | null> => loadOrigin(files.origin);
