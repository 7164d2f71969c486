/** The shape of the options of one run. */
import { z } from 'zod';
import { hash, role } from '../schema/common-fields.ts';

/**
 * The options a run was started with, where they differ from the configuration. Recorded in the first event of the
 * log.
 */
export const runOptions = z.strictObject({
  base: hash,
  base_name: z.string().describe('the name that the user gave'),
  branch: z.string().nullable().describe('current branch of the user'),
  backend: z.string().nullable(),
  cassette: z
    .string()
    .nullable()
    .describe('what the rehearsal backend plays: a file, default or demo; null: no rehearsal'),
  budget_usd: z.number().positive().nullable(),
  environment: z
    .string()
    .describe(
      "folder outside the project where the agents' environment variables are stored until the run is over",
    ),
  launcher: z.enum(['tmux', 'process']),
  take_recommendations: z.boolean(),
  shadow: z.boolean().describe('the project has no git repository'),
});
export type RunOptions = z.infer<typeof runOptions>;

/** How the agents of a run are started. Recorded in `setup` of the run's first event. */
export const agentStart = z
  .strictObject({
    backends: z.record(role, z.string()).describe('name of the backend of each role'),
    allow_bypass: z.boolean(),
  })
  .describe('how agents are started');

/** Name of the branch or commit from which a run began; `HEAD` if it began from a detached HEAD. */
export const beganAt = ({ base_name, branch }: Pick<RunOptions, 'base_name' | 'branch'>): string =>
  base_name === 'HEAD' ? (branch ?? 'HEAD') : base_name;
