/** What the launches of a role have cost so far. */
import { z } from 'zod';

export const spend = z.strictObject({
  cost_usd: z.number(),
  /** False if a launch of this role reported no cost; `cost_usd` is then a lower bound. */
  complete: z.boolean(),
  input_tokens: z.int(),
  output_tokens: z.int(),
  cache_read_input_tokens: z.int(),
  cache_creation_input_tokens: z.int(),
});
export type Spend = z.infer<typeof spend>;
