/**
 * What one agent prints, as it prints it. The page grants the server as many bytes as it has shown, once a frame:
 * an agent that prints without end can neither fill the page nor freeze it.
 */
import { useEffect, useState } from 'react';
import type { StreamPiece } from '../protocol.ts';
import { socket, useConnection } from './live.ts';
import { NOTHING, type Shown, withPieces } from './shown.ts';

export function useStream(runId: string, role: string, launch: number | null, raw: boolean): Shown {
  const connection = useConnection();
  const [shown, setShown] = useState(NOTHING);
  useEffect(() => {
    if (connection === 0) return;
    let stream = 0;
    let gone = false;
    let frame = 0;
    let arrived: StreamPiece[] = [];
    setShown(NOTHING);
    const show = () => {
      frame = 0;
      const pieces = arrived.filter(piece => piece.stream === stream);
      arrived = [];
      if (pieces.length === 0) return;
      setShown(before => withPieces(before, pieces));
      const bytes = pieces.reduce((sum, piece) => sum + piece.bytes, 0);
      if (bytes > 0) socket.emit('stream:grant', { stream, bytes: Math.min(bytes, 1_048_576) });
    };
    const soon = () => {
      if (frame === 0 && stream !== 0) frame = requestAnimationFrame(show);
    };
    const piece = (come: StreamPiece) => {
      // Before the acknowledgement the number of this stream is not known: hold what comes.
      if (stream !== 0 && come.stream !== stream) return;
      arrived.push(come);
      soon();
    };
    socket.on('stream:piece', piece);
    socket.emit('stream:subscribe', { runId, role, raw, ...(launch === null ? {} : { launch }) }, opened => {
      if (!opened.ok) return;
      if (gone) socket.emit('stream:unsubscribe', opened.stream);
      else {
        stream = opened.stream;
        soon();
      }
    });
    return () => {
      gone = true;
      cancelAnimationFrame(frame);
      socket.off('stream:piece', piece);
      if (stream !== 0 && socket.connected) socket.emit('stream:unsubscribe', stream);
    };
  }, [runId, role, launch, raw, connection]);
  return shown;
}
