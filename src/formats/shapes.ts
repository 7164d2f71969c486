/**
 * Shapes of what every list of runs reads, as plain JSON Schema. The build replaces this module by its values,
 * so that a program which only reads and shows does not load the schema library.
 */
import { z } from 'zod';
import { driverFile } from './driver.ts';
import { runEvent } from './events.ts';
import type { Schema } from './fits.ts';
import { stateFile } from './state.ts';

const schemaOf = (shape: z.ZodType): Schema => ({ ...z.toJSONSchema(shape, { io: 'input' }) });

export const STATE: Schema = schemaOf(stateFile.shape);
export const DRIVER: Schema = schemaOf(driverFile.shape);
export const EVENT: Schema = schemaOf(runEvent);
