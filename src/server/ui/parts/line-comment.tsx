/** A comment on a line of a diff: the editor and the saved comment. */
import { useEffect, useRef, useState } from 'react';
import { sendsForm } from '../keys.ts';
import { useWords } from '../preferences.ts';

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

export function Remark(props: {
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

export function Written({
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
