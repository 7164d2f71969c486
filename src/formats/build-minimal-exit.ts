/**
 * Builds the exit of a launch about which nothing else is known: no session, no question, no cost. Loads no schemas,
 * because every agent waits for its runner to load.
 */
import type { Exit } from './launch.ts';

export const minimalExit = (
  launch: number,
  end: Pick<Exit, 'outcome' | 'kind' | 'message' | 'without' | 'missing'>,
): Exit => ({
  launch,
  code: null,
  signal: null,
  ...end,
  retry_at: null,
  session: null,
  question: null,
  usage: null,
  session_cost_usd: null,
  ended_at: new Date().toISOString(),
});
