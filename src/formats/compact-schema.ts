/**
 * A shape as the least JSON Schema that says it. For the build: programs find the values. A value that lacks a key with
 * a default does not fit: only the schema library adds it.
 */
import { z } from 'zod';
import type { Schema } from './match-schema.ts';

export const compactSchema = (shape: z.ZodType): Schema => ({
  ...z.toJSONSchema(shape, {
    io: 'output',
    override({ jsonSchema }) {
      delete jsonSchema.description;
      delete jsonSchema.default;
      // The format says the same, and is checked without a long expression.
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
    },
  }),
});
