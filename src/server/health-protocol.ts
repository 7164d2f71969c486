/** The HTTP contract for `/health`. */

import { z } from 'zod';
import { runId, timestamp } from '../formats/schema/common-fields.ts';

const healthCheck = z.object({
  status: z.enum(['pass', 'warn', 'fail']),
  message: z.string().optional(),
  latency_ms: z.number().optional(),
});
export type HealthCheck = z.infer<typeof healthCheck>;
export const health = z.object({
  status: z.enum(['healthy', 'degraded', 'unhealthy']),
  timestamp,
  version: z.string(),
  uptime: z.int().describe('seconds'),
  checks: z.object({ orchestrator: healthCheck, tmux: healthCheck, fileSystem: healthCheck }),
});
export type Health = z.infer<typeof health>;
export const live = z.object({ status: z.literal('ok'), timestamp });
export const ready = z.object({
  status: z.enum(['ready', 'not_ready']),
  timestamp,
  checks: z.object({ fileSystem: healthCheck, config: healthCheck }),
});
export type ReadyView = z.infer<typeof ready>;
export const interruptedRuns = z.object({
  count: z.int(),
  runs: z.array(
    z.object({
      runId,
      phase: z.string(),
      lastAgent: z.string().nullable(),
      interruptedAt: timestamp,
      canResume: z.boolean(),
      resumeStrategy: z.enum(['restart_agent', 'restart_gatekeeper', 'continue_waiting', 'none']),
    }),
  ),
  timestamp,
});
export type Interrupted = z.infer<typeof interruptedRuns>;
