/**
 * Shapes of the files that every list of runs reads, as plain JSON Schema. The build replaces this module with its
 * values, so that read-only commands do not load the schema library.
 */

import { compactSchema } from './compact-schema.ts';
import { driverFile } from './driver.ts';
import type { Schema } from './matches-schema.ts';
import { originFile } from './origin.ts';
import { stateFile } from './state.ts';

export const STATE: Schema = compactSchema(stateFile.shape);
export const DRIVER: Schema = compactSchema(driverFile.shape);
export const ORIGIN: Schema = compactSchema(originFile.shape);
