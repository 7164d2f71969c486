import { z } from 'zod';
import { defineFile, hash } from './define-file.ts';

/** The options a run was started with, where they differ from the configuration. */
const options = z.strictObject({
  base: hash,
  base_name: z.string().describe('what the person called it'),
  branch: z.string().nullable().describe('branch the person was on'),
  backend: z.string().nullable(),
  cassette: z
    .string()
    .nullable()
    .describe('what the rehearsal backend plays: a file, default or demo; null: no rehearsal'),
  budget_usd: z.number().positive().nullable(),
  environment: z
    .string()
    .optional()
    .describe('folder outside the project that keeps the environment of its agents while the run is open'),
  launcher: z.enum(['tmux', 'process']),
  take_recommendations: z.boolean(),
  shadow: z.boolean().describe('the project has no git repository of its own'),
});
export const optionsFile = defineFile('options.json', 'What a run was started with.', options);
export type RunOptions = z.infer<typeof options>;
