/** Where an imported run comes from. Imported runs are history and are never driven. */
import { z } from 'zod';
import { timestamp } from './schema/common-fields.ts';
import { defineFile } from './schema/define-file.ts';

const origin = z.strictObject({
  from: z.string().describe('folder of the original, relative to the project'),
  phase: z.string().describe('phase according to the other tool'),
  brought_at: timestamp,
  skipped: z
    .array(z.string())
    .describe('what could not be imported and exists only in predecessor/ or in the original'),
});
export const originFile = defineFile('origin.json', 'Where an imported run comes from.', origin);
export type Origin = z.infer<typeof origin>;
