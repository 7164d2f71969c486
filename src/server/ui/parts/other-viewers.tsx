/**
 * Shows that other windows have the same run open, so that two people do not decide on it without knowing
 * about each other.
 */
import { useEffect, useState } from 'react';
import { socket, useSubscription } from '../connection/socket.ts';
import { useWords } from '../preferences.ts';

/** Subscribes to the run. */
export function OtherViewers({ id }: { id: string }) {
  const w = useWords();
  const [count, setCount] = useState(1);
  useSubscription(id);
  useEffect(() => {
    const changed = (run: { runId: string; count: number }) => {
      if (run.runId === id) setCount(run.count);
    };
    socket.on('run:viewers', changed);
    return () => {
      socket.off('run:viewers', changed);
    };
  }, [id]);
  return (
    <span role="status" className="viewers">
      {count > 1 && w.run.viewers(count - 1)}
    </span>
  );
}
