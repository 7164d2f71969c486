/**
 * Shapes of the files that every list of runs reads, as plain JSON Schema. The build replaces this module with its
 * values, so that read-only commands do not load the schema library.
 */

import { driverFile } from '../driver.ts';
import { originFile } from '../imported-run-origin.ts';
import { stateFile } from '../state.ts';
import type { Schema } from './matches-schema.ts';
import { minimalJsonSchema } from './shape-to-json-schema.ts';

export const STATE: Schema = minimalJsonSchema(stateFile.shape);
export const DRIVER: Schema = minimalJsonSchema(driverFile.shape);
export const ORIGIN: Schema = minimalJsonSchema(originFile.shape);
