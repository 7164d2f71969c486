/** Controls for an active run: extend, retry and stop. */
import { useState } from 'react';
import type { Recorded, RunView } from '../../http-protocol.ts';
import { api } from '../connection/api-client.ts';
import { useRequest } from '../hooks/use-run-request.ts';
import { useWords } from '../preferences.ts';
import { SubmitButton } from './button-needing-connection.tsx';
import { StopDialog } from './dialog.tsx';
import { isAtWork } from './phase-label.tsx';
import { ErrorState } from './placeholders.tsx';

const MORE_MS = 600_000;

export function RunControls({ run }: { run: RunView }) {
  const w = useWords();
  const [sure, setSure] = useState(false);
  /** Describes the recorded event as the timeline does. */
  const granted = async ({ event: { seq } }: Recorded) => {
    const page = await api.events(run.run_id, seq - 1).catch(() => null);
    const taken = page?.events.find(one => one.seq === seq);
    return taken ? w.event(taken.event) : w.run.asked;
  };
  const stop = useRequest(run.run_id, () => api.stop(run.run_id), granted);
  const retry = useRequest(run.run_id, () => api.retry(run.run_id), granted);
  const extend = useRequest(run.run_id, () => api.extend(run.run_id, MORE_MS), granted);
  const error = stop.error ?? retry.error ?? extend.error;
  return (
    <div className="stack">
      <div className="row">
        {isAtWork(run.phase) && (
          <>
            <SubmitButton
              disabled={!run.working || extend.isPending}
              onClick={() => extend.mutate(undefined)}
            >
              {w.run.extend}
            </SubmitButton>
            <SubmitButton disabled={!run.working || retry.isPending} onClick={() => retry.mutate(undefined)}>
              {w.run.retry}
            </SubmitButton>
          </>
        )}
        <SubmitButton className="grave" disabled={stop.isPending} onClick={() => setSure(true)}>
          {w.run.stop}
        </SubmitButton>
      </div>
      {error && <ErrorState error={error} />}
      {sure && <StopDialog stop={() => stop.mutate(undefined)} close={() => setSure(false)} />}
    </div>
  );
}
