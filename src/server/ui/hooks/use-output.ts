/**
 * The live output of one agent. The page fetches more only after it has rendered the previous chunk, so that an agent
 * with endless output can neither fill nor freeze the page, and a hidden page fetches nothing.
 */
import { useEffect, useState } from 'react';
import type { StreamPage } from '../../http-protocol.ts';
import { api } from '../connection/api-client.ts';
import { socket, useConnection } from '../connection/socket.ts';
import { EMPTY_OUTPUT, isAtEnd, type OutputBuffer, queryAfter, withPage } from '../output-buffer.ts';

/** Fallback interval in case the server's signal is missed. */
const SLOW_MS = 3000;

export function useOutput(runId: string, role: string, launch: number | null, raw: boolean): OutputBuffer {
  const connection = useConnection();
  const [shown, setShown] = useState(EMPTY_OUTPUT);
  useEffect(() => {
    if (connection === 0) return;
    const reading = new AbortController();
    const { signal } = reading;
    void read(signal);
    return () => reading.abort();

    async function read(signal: AbortSignal) {
      let last: StreamPage | null = null;
      let buffer = EMPTY_OUTPUT;
      setShown(EMPTY_OUTPUT);
      while (!signal.aborted) {
        await nextFrame();
        // Subscribe before the request, so that output printed during it is not missed.
        const printed = untilPrinted(runId, signal);
        const query: Parameters<typeof api.output>[2] = { ...queryAfter(last, launch), raw: raw ? '1' : '0' };
        const page: StreamPage | null = await api.output(runId, role, query).catch(() => null);
        if (signal.aborted) return;
        if (page) {
          buffer = withPage(buffer, last, page);
          last = page;
          setShown(buffer);
        }
        if (!page || isAtEnd(page, launch)) await printed;
      }
    }
  }, [runId, role, launch, raw, connection]);
  return shown;
}

const nextFrame = () => new Promise(resolve => requestAnimationFrame(resolve));

function untilPrinted(runId: string, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      clearTimeout(timer);
      socket.off('run:printed', onPrinted);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const onPrinted = (run: { runId: string }) => {
      if (run.runId === runId) done();
    };
    const timer = setTimeout(done, SLOW_MS);
    socket.on('run:printed', onPrinted);
    signal.addEventListener('abort', done);
  });
}
