/** A launch whose agent is Dure itself: what it does is recorded as the end of any other. */
import type { Exit, LaunchSpec } from '../../formats/launch.ts';
import { reap } from '../kill.ts';

export type Ended = Pick<Exit, 'outcome' | 'kind' | 'message'>;

/** What `work` throws is a crash, unless it was asked to stop. Nothing of the launch is left afterwards. */
export async function ownLaunch(
  runDir: string,
  spec: LaunchSpec,
  asked: AbortSignal,
  work: () => Promise<Ended>,
): Promise<Exit> {
  const ended = await work().catch((error: unknown) => ({
    outcome: 'error' as const,
    kind: 'crash' as const,
    message: error instanceof Error ? error.message : String(error),
  }));
  const how = asked.aborted ? { outcome: 'stopped' as const, kind: null, message: 'stopped' } : ended;
  reap(runDir, spec.launch);
  return {
    launch: spec.launch,
    code: how.outcome === 'ok' ? 0 : 1,
    signal: null,
    ...how,
    retry_at: null,
    session: null,
    question: null,
    usage: null,
    session_cost_usd: null,
    ended_at: new Date().toISOString(),
  };
}
