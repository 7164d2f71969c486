/**
 * The plugin's section of global.json. The file is meant to be committed, so secrets may come from the environment.
 */
import { EVENT_TYPES, NEEDS_ATTENTION } from 'dure';
import { z } from 'zod';

const FROM_ENVIRONMENT = /^env:([A-Za-z_][A-Za-z0-9_]*)$/;
const url = z.union([
  z.string().regex(FROM_ENVIRONMENT, 'expected env:NAME'),
  z.url({ protocol: /^https?$/, error: 'expected an http(s) address, or env:NAME' }),
]);

export const section = z.strictObject({
  url: url.optional().describe('address to post to; env:NAME reads it from the environment'),
  preset: z.enum(['json', 'slack', 'ntfy']).default('json').describe('shape of the request'),
  secret: z.string().min(1).optional().describe('signing key; env:NAME reads it from the environment'),
  retries: z.int().min(0).max(10).default(3),
  events: z.array(z.enum(EVENT_TYPES)).default([...NEEDS_ATTENTION]),
});
export type WebhookSettings = z.infer<typeof section>;

/** Returns the secret; for `env:NAME`, the value of that variable, or undefined if it is not set or is empty. */
export function secretValue(written: string): string | undefined {
  const name = FROM_ENVIRONMENT.exec(written)?.[1];
  return name === undefined ? written : process.env[name] || undefined;
}
