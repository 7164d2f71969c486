/** What a person may ask of a run that goes on: more time, another try, its end. */
import { useState } from 'react';
import type { Recorded, RunView } from '../../protocol.ts';
import { api } from '../api.ts';
import { useWords } from '../look.ts';
import { useWish } from '../wish.ts';
import { Ask } from './ask.tsx';
import { line } from './event-line.ts';
import { Send } from './send.tsx';
import { Trouble } from './states.tsx';

const MORE_MS = 600_000;

export function Wishes({ run }: { run: RunView }) {
  const w = useWords();
  const [sure, setSure] = useState(false);
  /** What the run has recorded of it, in the words of its timeline. */
  const granted = async ({ event: { seq, type } }: Recorded) => {
    const page = await api.events(run.run_id, seq - 1).catch(() => null);
    const taken = page?.events.find(one => one.seq === seq);
    return taken ? line(w, taken.event) : w.event(type);
  };
  const stop = useWish(() => api.stop(run.run_id), granted);
  const retry = useWish(() => api.retry(run.run_id), granted);
  const extend = useWish(() => api.extend(run.run_id, MORE_MS), granted);
  const error = stop.error ?? retry.error ?? extend.error;
  return (
    <div className="stack">
      <div className="row">
        {run.working && (
          <>
            <Send disabled={extend.isPending} onClick={() => extend.mutate(undefined)}>
              {w.run.extend}
            </Send>
            <Send disabled={retry.isPending} onClick={() => retry.mutate(undefined)}>
              {w.run.retry}
            </Send>
          </>
        )}
        <Send className="grave" disabled={stop.isPending} onClick={() => setSure(true)}>
          {w.run.stop}
        </Send>
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
