/**
 * Shapes of what every list of runs reads, as plain JSON Schema. The build replaces this module by its values,
 * so that a program which only reads and shows does not load the schema library.
 */
import { z } from 'zod';
import { driverFile } from './driver.ts';
import { runEvent } from './events.ts';
import type { Schema } from './fits.ts';
import { originFile } from './origin.ts';
import { stateFile } from './state.ts';

const schemaOf = (shape: z.ZodType): Schema => ({
  ...z.toJSONSchema(shape, {
    io: 'input',
    override({ jsonSchema }) {
      delete jsonSchema.description;
      // The format says the same, and is checked without a long expression.
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
    },
  }),
});

export const STATE: Schema = schemaOf(stateFile.shape);
export const DRIVER: Schema = schemaOf(driverFile.shape);
export const ORIGIN: Schema = schemaOf(originFile.shape);
/** By the type of the event. */
export const EVENTS: Readonly<Record<string, Schema>> = Object.fromEntries(
  runEvent.options.map(option => [option.shape.type.value, schemaOf(option)]),
);
