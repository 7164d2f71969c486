/**
 * One file of a diff. Each line number is a button that opens a comment. One of them is in the tab order, and the arrow
 * keys move between lines. Large files are collapsed until opened.
 */
import { type KeyboardEvent, useRef, useState } from 'react';
import { spelledOut } from '../../../core/policy/markdown-quote.ts';
import type { PatchFile } from '../patch.ts';
import { useWords } from '../preferences.ts';
import { DiffLine } from './diff-line.tsx';
import type { Commenting } from './line-comment.tsx';

/** Files with more lines than this start collapsed. */
const LARGE = 600;

export function DiffFile({
  file,
  id,
  commenting,
}: {
  file: PatchFile;
  id: string;
  commenting: Commenting | null;
}) {
  const w = useWords();
  const size = file.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
  const [shown, setShown] = useState(size <= LARGE);
  return (
    <section className="file" id={id} tabIndex={-1} aria-labelledby={`${id}-name`}>
      <header className="file-head">
        <h3 id={`${id}-name`} className="mono">
          {spelledOut(file.path)}
        </h3>
        {file.from && <span className="soft">{w.review.renamed(spelledOut(file.from))}</span>}
        {file.change !== 'changed' && <span className="soft">{w.review.change(file.change)}</span>}
        {file.kind && <span className="warn">{w.review.kind[file.kind]}</span>}
        <span className="good">+{file.added}</span>
        <span className="bad">−{file.deleted}</span>
      </header>
      {file.binary && <p className="file-note soft">{w.review.binary}</p>}
      {!shown && (
        <button type="button" className="plain file-note" onClick={() => setShown(true)}>
          {w.review.large(size)}
        </button>
      )}
      {shown && file.hunks.length > 0 && <Lines file={file} commenting={commenting} />}
    </section>
  );
}

function Lines({ file, commenting }: { file: PatchFile; commenting: Commenting | null }) {
  const w = useWords();
  const table = useRef<HTMLTableElement>(null);
  const first = file.hunks.flatMap(hunk => hunk.lines).find(line => line.fresh !== null)?.fresh ?? null;
  const [current, setCurrent] = useState(first);
  const [writing, setWriting] = useState<number | null>(null);
  const here = (line: number) =>
    commenting?.comments.find(one => one.file === file.path && one.line === line);
  const move = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (by !== 0 && event.target instanceof HTMLButtonElement && event.target.dataset['line']) {
      event.preventDefault();
      const all = [...table.current!.querySelectorAll<HTMLButtonElement>('button[data-line]')];
      all[all.indexOf(event.target) + by]?.focus();
    } else if (
      event.key === 'c' &&
      event.target instanceof HTMLButtonElement &&
      event.target.dataset['line']
    ) {
      event.preventDefault();
      setWriting(Number(event.target.dataset['line']));
    }
  };
  const close = (line: number) => {
    setWriting(null);
    table.current?.querySelector<HTMLButtonElement>(`button[data-line="${line}"]`)?.focus();
  };
  return (
    <div className="diff-scroll">
      <table className="diff" ref={table} onKeyDown={move}>
        <caption className="unseen">{spelledOut(file.path)}</caption>
        <colgroup>
          <col className="at" />
          <col className="at" />
          <col />
        </colgroup>
        {file.hunks.map((hunk, index) => (
          <tbody key={`${file.path} ${String(index)}`}>
            <tr className="hunk">
              <td colSpan={3}>{hunk.header || '⋯'}</td>
            </tr>
            {hunk.lines.map(line => (
              <DiffLine
                key={`${line.old ?? ''}:${line.fresh ?? ''}`}
                line={line}
                path={file.path}
                inOrder={commenting !== null && line.fresh === current}
                canComment={commenting !== null}
                comment={line.fresh === null ? undefined : here(line.fresh)}
                writing={line.fresh !== null && line.fresh === writing}
                onFocus={setCurrent}
                open={setWriting}
                close={close}
                commenting={commenting}
                label={w.review.commentOn}
              />
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
}
