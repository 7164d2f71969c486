/**
 * What one agent prints, as it prints it. The page grants the server as many bytes as it has shown, once a frame:
 * an agent that prints without end can neither fill the page nor freeze it.
 */
import { useEffect, useState } from 'react';
import type { OutputLine, StreamPiece } from '../protocol.ts';
import { socket, useConnection } from './live.ts';

const KEPT_LINES = 800;
const KEPT_CHARS = 200_000;

export interface Shown {
  readonly lines: readonly (OutputLine & { key: number })[];
  readonly launch: number | null;
  readonly skipped: number;
}
const NOTHING: Shown = { lines: [], launch: null, skipped: 0 };

/** The end of what is known, so much as a page can bear. */
export function kept(lines: Shown['lines']): Shown['lines'] {
  let first = lines.length;
  for (let chars = 0; first > 0 && lines.length - first < KEPT_LINES; first -= 1) {
    chars += lines[first - 1]!.text.length;
    if (chars > KEPT_CHARS && first < lines.length) break;
  }
  return first === 0 ? lines : lines.slice(first);
}

export function withPieces(before: Shown, pieces: readonly StreamPiece[]): Shown {
  let { lines, launch, skipped } = before;
  let key = (lines.at(-1)?.key ?? -1) + 1;
  for (const piece of pieces) {
    if (piece.fresh) [lines, skipped] = [[], 0];
    launch = piece.launch;
    skipped += piece.skipped;
    lines = [...lines, ...piece.lines.map(line => ({ ...line, key: key++ }))];
  }
  return { lines: kept(lines), launch, skipped };
}

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
