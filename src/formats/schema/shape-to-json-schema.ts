/**
 * Converts a shape to a minimal JSON Schema, which the build embeds in programs. A value that lacks a key
 * with a default does not match, because only the schema library adds defaults. Neither does a value of a
 * shape with a rule that JSON Schema cannot express.
 */
import { z } from 'zod';
import type { Schema } from './matches-schema.ts';

export const minimalJsonSchema = (shape: z.ZodType): Schema => ({
  ...z.toJSONSchema(shape, {
    io: 'output',
    override({ zodSchema, jsonSchema }) {
      // The fast reader does not know this keyword, so it accepts no value, and the schema library checks them all.
      if (zodSchema._zod.def.checks?.some(({ _zod }) => _zod.def.check === 'custom'))
        jsonSchema['refined'] = true;
      delete jsonSchema.description;
      delete jsonSchema.default;
      // The format is equivalent to the long pattern and faster to check.
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
    },
  }),
});
