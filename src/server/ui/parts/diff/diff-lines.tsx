/**
 * The lines of a file. Each line number is a button that opens a comment. One of them is in the tab order; the arrow
 * keys move between lines and, with Shift, select a range. Only the lines near the viewport are in the DOM.
 */
import { type KeyboardEvent, type ReactNode, useMemo, useRef, useState } from 'react';
import { spelledOut } from '../../../../core/text/markdown-quote.ts';
import { type FileMarks, markOf } from '../../diff/defended-lines.ts';
import {
  type DiffItem,
  type DiffRow,
  diffItems,
  type Gap,
  isGap,
  type Layout,
} from '../../diff/diff-rows.ts';
import type { PatchFile, PatchLine } from '../../diff/parse-patch.ts';
import { usePlaceholderHeight } from '../../hooks/use-offscreen-placeholder.ts';
import { useTokens } from '../../hooks/use-syntax-colours.ts';
import { useWords } from '../../preferences.ts';
import { type Commenting, type CommentPlace, endOf, sideOf } from '../../review-draft.ts';
import {
  columnsOf,
  DiffLine,
  isAtPosition,
  type LineActions,
  type LinePosition,
  linePosition,
} from './diff-line.tsx';

/** The heights (px) that the style sheet gives to an unwrapped line and to a gap. */
const LINE_HEIGHT = 20;
const GAP_HEIGHT = 26;
/** Height (px) of this many lines and gaps, if no line is wrapped. */
export const heightOfLines = (lines: number, gaps: number): number => lines * LINE_HEIGHT + gaps * GAP_HEIGHT;
const LINES_PER_PART = 40;
const VERTICAL = /^Arrow(Up|Down)$/;

export function DiffLines({
  file,
  layout,
  commenting,
  marks,
  show,
}: {
  file: PatchFile;
  layout: Layout;
  commenting: Commenting | null;
  /** Which lines are defended by tests; undefined if none was examined. */
  marks: FileMarks | undefined;
  /** Shows unchanged lines of a gap; null if only the lines of the patch can be shown. */
  show: ((gap: Gap) => void) | null;
}) {
  const table = useRef<HTMLTableElement>(null);
  const canShow = show !== null;
  const items = useMemo(
    () => diffItems(file, layout).filter(item => canShow || !isGap(item) || item.gap.to !== null),
    [file, layout, canShow],
  );
  const parts = useMemo(() => inParts(items), [items]);
  const tokens = useTokens(file);
  const rows = useMemo(() => items.filter((item): item is DiffRow => !isGap(item)), [items]);
  const [writing, setWriting] = useState<CommentPlace | null>(
    () => commenting?.unfinished(file.path) ?? null,
  );
  const [explained, setExplained] = useState<PatchLine | null>(null);
  const [chosen, setCurrent] = useState<LinePosition | null>(null);
  /** Where the selected range begins. */
  const [anchor, setAnchor] = useState<LinePosition | null>(null);
  const first = rows
    .flatMap(({ newLine, oldLine }) => ((newLine ?? oldLine) ? [linePosition((newLine ?? oldLine)!)] : []))
    .find(({ side }) => commenting?.sides.includes(side));
  const current = chosen ?? first ?? null;
  const firstMark = useMemo(() => rows.find(item => markIn(marks, item)), [rows, marks]);
  const place = (from: LinePosition | null, to: LinePosition): CommentPlace => {
    const [line, end] = from && from.side === to.side ? [from.line, to.line].sort((a, b) => a - b) : [];
    return {
      file: file.path,
      line: line ?? to.line,
      ...(end !== undefined && end !== line && { end_line: end }),
      ...(to.side === 'old' && { side: 'old' }),
    };
  };
  const picked = writing ?? (anchor && current ? place(anchor, current) : null);
  const focusOn = (spot: LinePosition) =>
    table.current
      ?.querySelector<HTMLButtonElement>(`button[data-line="${spot.line}"][data-side="${spot.side}"]`)
      ?.focus();
  const open = (spot: LinePosition, extend: boolean) => {
    const next = place(extend ? (anchor ?? current) : null, spot);
    const typed = writing ? commenting?.unfinished(file.path) : undefined;
    // If the range is extended, the typed text moves with it. If another line is opened, the typed comment is
    // added first.
    if (commenting && typed && extend) {
      commenting.keep({ ...typed, comment: '' });
      commenting.keep({ ...next, comment: typed.comment });
    } else if (typed) commenting?.put(typed);
    setWriting(next);
  };
  const close = () => {
    setWriting(null);
    setAnchor(null);
    if (writing) focusOn({ side: sideOf(writing), line: endOf(writing) });
  };
  const textOf = (at: CommentPlace) =>
    rows
      .flatMap(({ oldLine, newLine }) => [...new Set([oldLine, newLine])])
      .flatMap(line => (line && isWithin(at, linePosition(line)) ? [line.text] : []))
      .join('\n');
  const newest = useRef({ open, close, textOf });
  newest.current = { open, close, textOf };
  /** The same object for every render, so that the lines are not rendered again. */
  const actions = useMemo<LineActions>(
    () => ({
      focus: setCurrent,
      open(spot, extend) {
        newest.current.open(spot, extend);
        setAnchor(null);
      },
      edit: setWriting,
      explain: line => setExplained(now => (now === line ? null : line)),
      textOf: place => newest.current.textOf(place),
      close: () => newest.current.close(),
    }),
    [],
  );
  const keys = (event: KeyboardEvent) => {
    const button = event.target;
    if (event.key === 'Escape' && explained) setExplained(null);
    else if (!(button instanceof HTMLButtonElement)) return;
    else if (event.key === 'ArrowRight' || event.key === 'ArrowLeft')
      button
        .closest('tr')
        ?.querySelector<HTMLButtonElement>(
          event.key === 'ArrowRight' ? 'button[data-line]' : 'button[data-mark]',
        )
        ?.focus();
    else if (button.dataset['mark'] !== undefined && VERTICAL.test(event.key)) {
      const all = [...table.current!.querySelectorAll<HTMLButtonElement>('button[data-mark]')];
      all[all.indexOf(button) + (event.key === 'ArrowDown' ? 1 : -1)]?.focus();
    } else if (!button.dataset['line'] || !current) return;
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      setAnchor(event.shiftKey ? (anchor ?? current) : null);
      const side = event.shiftKey ? `[data-side="${current.side}"]` : '';
      const all = [...table.current!.querySelectorAll<HTMLButtonElement>(`button[data-line]${side}`)];
      all[all.indexOf(button) + (event.key === 'ArrowDown' ? 1 : -1)]?.focus();
    } else if (event.key === 'c' && !event.ctrlKey && !event.metaKey) open(current, anchor !== null);
    else return;
    event.preventDefault();
  };
  const comments = commenting?.comments.filter(comment => comment.file === file.path) ?? [];
  const row = (item: DiffRow) => {
    const lines = [item.oldLine, item.newLine].filter(line => line !== null);
    const endsAt = (at: CommentPlace) => isIn(lines, { side: sideOf(at), line: endOf(at) });
    const here = comments.filter(endsAt);
    return (
      <DiffLine
        key={`${item.oldLine?.oldLine ?? ''}:${item.newLine?.newLine ?? ''}`}
        row={item}
        layout={layout}
        path={file.path}
        tokens={tokens}
        current={commenting ? (lines.find(line => isAtPosition(current, line)) ?? null) : null}
        hasMargin={marks !== undefined}
        mark={markIn(marks, item)}
        isFirstMark={item === firstMark}
        isExplained={lines.some(line => line === explained)}
        isPicked={picked !== null && lines.some(line => isWithin(picked, linePosition(line)))}
        writing={writing && endsAt(writing) ? writing : null}
        oldComment={here.find(comment => sideOf(comment) === 'old')}
        freshComment={here.find(comment => sideOf(comment) === 'new')}
        commenting={commenting}
        actions={actions}
      />
    );
  };
  return (
    <table
      className={`diff ${layout}`}
      ref={table}
      onKeyDown={keys}
      // Otherwise the browser would select text, and the line where the range begins would lose the focus.
      onMouseDown={event => event.shiftKey && event.preventDefault()}
    >
      <caption className="unseen">{spelledOut(file.path)}</caption>
      <colgroup>
        {layout === 'split' && <col className="at" />}
        {layout === 'split' && <col />}
        {marks && <col className="mark" />}
        {layout === 'unified' && <col className="at" />}
        <col className="at" />
        <col />
      </colgroup>
      {parts.map((part, index) => (
        <Part key={index.toString()} items={part}>
          {() =>
            part.map(item =>
              isGap(item) ? (
                <GapRow
                  key={`gap ${item.gap.from}`}
                  gap={item.gap}
                  width={columnsOf(layout, marks !== undefined)}
                  show={show}
                />
              ) : (
                row(item)
              ),
            )
          }
        </Part>
      ))}
    </table>
  );
}

function GapRow({ gap, width, show }: { gap: Gap; width: number; show: ((gap: Gap) => void) | null }) {
  const w = useWords();
  const { from, to, header } = gap;
  return (
    <tr className="hunk">
      <td colSpan={width}>
        {show && (to === null || to >= from) && (
          <button type="button" className="plain small" onClick={() => show(gap)}>
            {w.review.unchanged(to === null ? null : to - from + 1)}
          </button>
        )}{' '}
        {header || (show ? '' : '⋯')}
      </td>
    </tr>
  );
}

function Part({ items, children }: { items: readonly DiffItem[]; children: () => ReactNode }) {
  const element = useRef<HTMLTableSectionElement>(null);
  const gaps = items.filter(isGap).length;
  const space = usePlaceholderHeight(element, heightOfLines(items.length - gaps, gaps));
  return <tbody ref={element}>{space === null ? children() : <tr style={{ height: space }} />}</tbody>;
}

function inParts(items: readonly DiffItem[]): DiffItem[][] {
  const parts: DiffItem[][] = [];
  for (let at = 0; at < items.length; at += LINES_PER_PART) parts.push(items.slice(at, at + LINES_PER_PART));
  return parts;
}

const markIn = (marks: FileMarks | undefined, { oldLine, newLine }: DiffRow) =>
  markOf(marks, newLine) ?? markOf(marks, oldLine);

const isIn = (lines: readonly PatchLine[], spot: LinePosition): boolean =>
  lines.some(line => isAtPosition(spot, line));
const isWithin = (place: CommentPlace, { side, line }: LinePosition): boolean =>
  side === sideOf(place) && line >= place.line && line <= endOf(place);
