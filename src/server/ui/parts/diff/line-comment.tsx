/** A comment on lines of a diff: the editor and the saved comment. */
import { useEffect, useRef, useState } from 'react';
import type { Words } from '../../../../words/pages/en.ts';
import { sendsForm } from '../../keyboard-shortcuts.ts';
import { useWords } from '../../preferences.ts';
import { type Comment, type Commenting, type CommentPlace, endOf, sideOf } from '../../review-draft.ts';

/** Names the lines of a comment, as in `line 9` or `deleted lines 9–12`. */
export const linesLabel = (w: Words, place: CommentPlace): string =>
  w.review.lines(place.line, endOf(place), sideOf(place));

export function CommentEditor(props: {
  place: CommentPlace;
  before: Comment | undefined;
  commenting: Commenting;
  close: () => void;
  textOf: (place: CommentPlace) => string;
}) {
  const w = useWords();
  const { place, commenting } = props;
  const kept = commenting.unfinished(place.file);
  const [text, setText] = useState(
    (kept && endOf(kept) === endOf(place) && kept.comment) || (props.before?.comment ?? ''),
  );
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const { length } = box.current!.value;
    box.current!.setSelectionRange(length, length);
    box.current!.focus({ preventScroll: true });
  }, []);
  const write = (comment: string) => {
    setText(comment);
    commenting.keep({ ...place, comment });
  };
  const suggest = () => {
    write(`${text}${text && '\n'}\`\`\`suggestion\n${props.textOf(place)}\n\`\`\``);
    box.current!.focus();
  };
  const cancel = () => {
    commenting.keep({ ...place, comment: '' });
    props.close();
  };
  return (
    <form
      className="stack"
      onKeyDown={event => {
        if (event.key === 'Escape') cancel();
        else sendsForm(event);
      }}
      onSubmit={event => {
        event.preventDefault();
        if (text.trim() === '') return;
        commenting.put({ ...place, comment: text.trim() });
        props.close();
      }}
    >
      <textarea
        ref={box}
        rows={3}
        maxLength={10_000}
        aria-label={w.review.commentOn(place.file, linesLabel(w, place))}
        value={text}
        onChange={event => write(event.target.value)}
      />
      <div className="row">
        <button type="submit" className="main small" disabled={text.trim() === ''}>
          {w.review.addComment}
        </button>
        <button type="button" className="small" onClick={cancel}>
          {w.state.cancel}
        </button>
        {sideOf(place) === 'new' && (
          <button type="button" className="plain small" onClick={suggest}>
            {w.review.suggest}
          </button>
        )}
        {endOf(place) > place.line && <span className="soft">{linesLabel(w, place)}</span>}
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
      {endOf(comment) > comment.line && <span className="soft">{linesLabel(w, comment)}</span>}
      <p className="as-is">{comment.comment}</p>
      {commenting.sides.length > 0 && (
        <span className="row">
          <button type="button" className="plain small" onClick={edit}>
            {w.review.edit}
          </button>
          <button type="button" className="plain small" onClick={() => commenting.remove(comment)}>
            {w.review.remove}
          </button>
        </span>
      )}
    </div>
  );
}
