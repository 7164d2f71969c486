/**
 * Converts a shape to a minimal JSON Schema, which the build embeds in programs. A value that lacks a key with a
 * default does not match, because only the schema library adds defaults.
 */
import { z } from 'zod';
import type { Schema } from './matches-schema.ts';

export const compactSchema = (shape: z.ZodType): Schema => ({
  ...z.toJSONSchema(shape, {
    io: 'output',
    override({ jsonSchema }) {
      delete jsonSchema.description;
      delete jsonSchema.default;
      // The format is equivalent and faster to check than the long pattern.
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
    },
  }),
});
