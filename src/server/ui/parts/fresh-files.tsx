/** Files of the run that changed while the page looks on, the newest first. */
import { useEffect, useState } from 'react';
import { socket } from '../live.ts';
import { useWords } from '../look.ts';

const KEPT = 10;

export function FreshFiles({ runId }: { runId: string }) {
  const w = useWords();
  const [files, setFiles] = useState<readonly string[]>([]);
  useEffect(() => {
    const changed = (change: { runId: string; files: string[] }) => {
      if (change.runId === runId) setFiles(now => [...new Set([...change.files, ...now])].slice(0, KEPT));
    };
    socket.on('run:files', changed);
    return () => {
      socket.off('run:files', changed);
    };
  }, [runId]);
  if (files.length === 0) return null;
  return (
    <section className="sheet" aria-labelledby="fresh-files">
      <h2 id="fresh-files">{w.run.files}</h2>
      <ul className="mono fresh-files">
        {files.map(file => (
          <li key={file}>{file}</li>
        ))}
      </ul>
    </section>
  );
}
