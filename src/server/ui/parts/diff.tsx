/**
 * One file of a diff. A line number is a button that opens a comment on its line; one of them is in the order of
 * Tab, and the arrow keys go from line to line. Large files are folded until they are asked for.
 */
import { type KeyboardEvent, memo, useEffect, useRef, useState } from 'react';
import { sendsForm } from '../keys.ts';
import { useWords } from '../look.ts';
import type { PatchFile, PatchLine } from '../patch.ts';

/** Lines above which a file waits to be asked for. */
const LARGE = 600;

export interface Comment {
  readonly file: string;
  readonly line: number;
  readonly comment: string;
}
export interface Commenting {
  readonly comments: readonly Comment[];
  put(comment: Comment): void;
  remove(comment: Comment): void;
}

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
          {file.path}
        </h3>
        {file.from && <span className="soft">{w.review.renamed(file.from)}</span>}
        {file.change !== 'changed' && <span className="soft">{w.review.change(file.change)}</span>}
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
        <caption className="unseen">{file.path}</caption>
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
              <Row
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

/** Marks that turn text around or hide in it are spelled out: code must not read otherwise than it runs. */
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
const visible = (text: string): string =>
  text.replace(HIDDEN, mark => `⟨U+${mark.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`);

interface RowProps {
  line: PatchLine;
  path: string;
  inOrder: boolean;
  canComment: boolean;
  comment: Comment | undefined;
  writing: boolean;
  onFocus: (line: number) => void;
  open: (line: number) => void;
  close: (line: number) => void;
  commenting: Commenting | null;
  label: (file: string, line: number) => string;
}
const SIGN = { added: '+', deleted: '−', same: '' } as const;

const Row = memo(
  (props: RowProps) => {
    const { line, path, comment, writing, commenting } = props;
    const number = line.fresh;
    return (
      <>
        <tr className={`line-${line.kind}`}>
          <td className="at">{line.old}</td>
          <td className="at">
            {number !== null && props.canComment ? (
              <button
                type="button"
                data-line={number}
                tabIndex={props.inOrder ? 0 : -1}
                aria-label={props.label(path, number)}
                aria-expanded={writing}
                onFocus={() => props.onFocus(number)}
                onClick={() => props.open(number)}
              >
                {number}
              </button>
            ) : (
              number
            )}
          </td>
          <td className="text">
            <span className="sign">{SIGN[line.kind]}</span>
            {visible(line.text)}
          </td>
        </tr>
        {number !== null && commenting && (comment || writing) && (
          <tr className="remark">
            <td colSpan={3}>
              {writing ? (
                <Remark
                  file={path}
                  line={number}
                  before={comment}
                  commenting={commenting}
                  close={() => props.close(number)}
                />
              ) : (
                comment && (
                  <Written comment={comment} commenting={commenting} edit={() => props.open(number)} />
                )
              )}
            </td>
          </tr>
        )}
      </>
    );
  },
  (before, after) =>
    before.line === after.line &&
    before.inOrder === after.inOrder &&
    before.writing === after.writing &&
    before.comment === after.comment &&
    before.label === after.label &&
    (!after.writing || before.commenting === after.commenting) &&
    (!after.comment || before.commenting === after.commenting),
);

function Remark(props: {
  file: string;
  line: number;
  before: Comment | undefined;
  commenting: Commenting;
  close: () => void;
}) {
  const w = useWords();
  const [text, setText] = useState(props.before?.comment ?? '');
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <form
      className="stack"
      onKeyDown={event => {
        if (event.key === 'Escape') props.close();
        else sendsForm(event);
      }}
      onSubmit={event => {
        event.preventDefault();
        if (text.trim() === '') return;
        props.commenting.put({ file: props.file, line: props.line, comment: text.trim() });
        props.close();
      }}
    >
      <textarea
        ref={box}
        rows={3}
        maxLength={10_000}
        aria-label={w.review.commentOn(props.file, props.line)}
        value={text}
        onChange={event => setText(event.target.value)}
      />
      <div className="row">
        <button type="submit" className="main small" disabled={text.trim() === ''}>
          {w.review.addComment}
        </button>
        <button type="button" className="small" onClick={props.close}>
          {w.state.cancel}
        </button>
      </div>
    </form>
  );
}

function Written({
  comment,
  commenting,
  edit,
}: {
  comment: Comment;
  commenting: Commenting;
  edit: () => void;
}) {
  const w = useWords();
  return (
    <div className="written">
      <p className="as-is">{comment.comment}</p>
      <span className="row">
        <button type="button" className="plain small" onClick={edit}>
          {w.review.edit}
        </button>
        <button type="button" className="plain small" onClick={() => commenting.remove(comment)}>
          {w.review.remove}
        </button>
      </span>
    </div>
  );
}
