/**
 * Shapes of what every list of runs reads, as plain JSON Schema. The build replaces this module by its values,
 * so that a program which only reads and shows does not load the schema library.
 */
import { driverFile } from './driver.ts';
import type { Schema } from './fits.ts';
import { leanSchema } from './lean-schema.ts';
import { originFile } from './origin.ts';
import { stateFile } from './state.ts';

export const STATE: Schema = leanSchema(stateFile.shape);
export const DRIVER: Schema = leanSchema(driverFile.shape);
export const ORIGIN: Schema = leanSchema(originFile.shape);
