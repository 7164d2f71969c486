/**
 * JSON Schemas of the shapes whose types plugins use, keyed by the defining file and the type name.
 * Only the build reads this.
 */
import { z } from 'zod';
import { config } from '../config/config.ts';
import { runEvent } from '../events/events.ts';
import { runSummary } from '../plugin-run-summary.ts';
import { agentStep } from '../state.ts';
import { verdictFile } from '../verdict.ts';

/** Describes a value after it has been read, when all defaults are filled in. */
const schemaOf = (shape: z.ZodType): object => z.toJSONSchema(shape, { io: 'output' });

export const PUBLIC: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  'config/config': { Config: schemaOf(config) },
  'events/events': { RunEvent: schemaOf(runEvent) },
  'plugin-run-summary': { RunSummary: schemaOf(runSummary) },
  state: { AgentStep: schemaOf(agentStep) },
  verdict: { Verdict: schemaOf(verdictFile.shape) },
};
