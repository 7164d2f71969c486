/** The key of a log, as named in its first event. */
import { z } from 'zod';

const keyReplaced = z.strictObject({
  events: z.int().positive().describe('number of earlier events, which could not be checked'),
  before: z.string().describe('id of the earlier key'),
  decisions: z
    .array(z.string().regex(/^[0-9a-f]{64}$/))
    .describe('hashes of the recorded answers and of the feedback, which need no proof'),
});

/** Set after a person accepted earlier events and decisions that could not be checked. */
export const keyReplacedField = {
  key_replaced: keyReplaced.optional().describe('set by `dure recover --how rekey`'),
};

/** `key` is the last field of the event, where `chainOf` looks for it. */
export const chainKeyFields = {
  ...keyReplacedField,
  key: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .describe('id of the key that authenticates the log and the decisions'),
};
