/** A shape as the least JSON Schema that says it. For the build: programs find the values. */
import { z } from 'zod';
import type { Schema } from './fits.ts';

export const leanSchema = (shape: z.ZodType): Schema => ({
  ...z.toJSONSchema(shape, {
    io: 'input',
    override({ jsonSchema }) {
      delete jsonSchema.description;
      // The format says the same, and is checked without a long expression.
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
    },
  }),
});
