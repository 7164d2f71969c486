/**
 * The plugin's section of global.json. The file is meant to be committed, so secrets may come from the environment.
 */
import type { RunEvent } from 'dure';
import { z } from 'zod';

/** All event types, so that `events` may contain any of them. */
export const EVENTS = [
  'run.started',
  'run.interrupted',
  'run.resumed',
  'workspace.prepared',
  'agent.started',
  'agent.completed',
  'agent.failed',
  'agent.timeout',
  'agent.extended',
  'agent.retried',
  'agent.waits',
  'run.delayed',
  'run.continued',
  'agent.delayed',
  'agent.continued',
  'agent.exited',
  'tests.executed',
  'exam.executed',
  'checks.executed',
  'verdict.given',
  'crp.created',
  'vcr.created',
  'iteration.started',
  'iteration.exhausted',
  'mrp.created',
  'mrp.rejected',
  'approval.refused',
  'decision.refused',
  'key.replaced',
  'run.rebased',
  'rebase.refused',
  'exam.extended',
  'run.completed',
  'run.failed',
  'run.stopped',
] as const satisfies readonly RunEvent['type'][];

const FROM_ENVIRONMENT = /^env:([A-Za-z_][A-Za-z0-9_]*)$/;
const url = z.union([
  z.string().regex(FROM_ENVIRONMENT, 'expected env:NAME'),
  z.url({ protocol: /^https?$/, error: 'expected an http(s) address, or env:NAME' }),
]);

export const section = z.strictObject({
  url: url.optional().describe('where to post; env:NAME reads it from the environment'),
  preset: z.enum(['json', 'slack', 'ntfy']).default('json').describe('shape of the request'),
  secret: z.string().min(1).optional().describe('signing key; env:NAME reads it from the environment'),
  retries: z.int().min(0).max(10).default(3),
  events: z
    .array(z.enum(EVENTS))
    .default([
      'crp.created',
      'mrp.created',
      'agent.timeout',
      'run.delayed',
      'approval.refused',
      'decision.refused',
      'run.completed',
      'run.failed',
    ]),
});
export type WebhookSettings = z.infer<typeof section>;

/** Undefined if the environment has no such variable. */
export function secretValue(written: string): string | undefined {
  const name = FROM_ENVIRONMENT.exec(written)?.[1];
  return name === undefined ? written : process.env[name] || undefined;
}
