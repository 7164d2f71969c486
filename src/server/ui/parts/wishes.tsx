/** What a person may ask of a run that goes on: more time, another try, its end. */
import { useState } from 'react';
import type { RunView } from '../../protocol.ts';
import { api } from '../api.ts';
import { useWords } from '../look.ts';
import { useWish } from '../wish.ts';
import { Ask } from './ask.tsx';
import { Trouble } from './states.tsx';

const MORE_MS = 600_000;

export function Wishes({ run }: { run: RunView }) {
  const w = useWords();
  const [sure, setSure] = useState(false);
  const stop = useWish(() => api.stop(run.run_id), w.run.asked);
  const retry = useWish(() => api.retry(run.run_id), w.run.asked);
  const extend = useWish(() => api.extend(run.run_id, MORE_MS), w.run.asked);
  const error = stop.error ?? retry.error ?? extend.error;
  return (
    <div className="stack">
      <div className="row">
        {run.working && (
          <>
            <button type="button" disabled={extend.isPending} onClick={() => extend.mutate(undefined)}>
              {w.run.extend}
            </button>
            <button type="button" disabled={retry.isPending} onClick={() => retry.mutate(undefined)}>
              {w.run.retry}
            </button>
          </>
        )}
        <button type="button" className="grave" disabled={stop.isPending} onClick={() => setSure(true)}>
          {w.run.stop}
        </button>
      </div>
      {error && <Trouble error={error} />}
      {sure && (
        <Ask
          title={w.run.stop}
          yes={w.run.stop}
          grave
          then={() => stop.mutate(undefined)}
          close={() => setSure(false)}
        >
          <p>{w.run.stopSure}</p>
        </Ask>
      )}
    </div>
  );
}
