/** One row of a diff and, below it, the comments on its lines. */
import { type MouseEvent, memo, type ReactNode } from 'react';
import { visible } from '../../../../core/text/markdown-quote.ts';
import type { DefendedLines } from '../../../../formats/exam/exam-units-and-faults.ts';
import { changedWords, type Range } from '../../diff/changed-words.ts';
import type { DiffRow, Layout } from '../../diff/diff-rows.ts';
import type { Token } from '../../diff/highlight-syntax.ts';
import type { PatchLine } from '../../diff/parse-patch.ts';
import { useWords } from '../../preferences.ts';
import { type Comment, type Commenting, type CommentPlace, sideOf } from '../../review-draft.ts';
import { LineMark, LineTests } from './defended-lines-margin.tsx';
import { CommentEditor, Written } from './line-comment.tsx';

type Side = 'old' | 'new';
/** A line that can be commented on: a deleted one has its old number, every other one its new number. */
export interface LinePosition {
  readonly side: Side;
  readonly line: number;
}
export const linePosition = (line: PatchLine): LinePosition =>
  line.newLine === null ? { side: 'old', line: line.oldLine! } : { side: 'new', line: line.newLine };
export const isAtPosition = (spot: LinePosition | null, line: PatchLine): boolean =>
  spot !== null &&
  spot.line === (spot.side === 'old' ? (line.newLine === null ? line.oldLine : null) : line.newLine);

export interface LineActions {
  focus(spot: LinePosition): void;
  open(spot: LinePosition, extend: boolean): void;
  edit(comment: Comment): void;
  /** Shows or hides why a line has its mark, and the tests that notice a change to it. */
  explain(line: PatchLine): void;
  close(): void;
  /** The text of the lines at `place`. */
  textOf(place: CommentPlace): string;
}
interface RowProps {
  row: DiffRow;
  layout: Layout;
  path: string;
  tokens: ReadonlyMap<PatchLine, readonly Token[]>;
  /** The line in the tab order, if it is in this row. */
  current: PatchLine | null;
  isPicked: boolean;
  /** Whether the diff has a margin with marks. */
  hasMargin: boolean;
  mark: DefendedLines | undefined;
  /** Whether the mark of this row is the one in the tab order. */
  isFirstMark: boolean;
  isExplained: boolean;
  /** The comment being written below this row. */
  writing: CommentPlace | null;
  oldComment: Comment | undefined;
  freshComment: Comment | undefined;
  commenting: Commenting | null;
  actions: LineActions;
}
const SIGN = { added: '+', deleted: '−', same: '' } as const;

export const DiffLine = memo(
  (props: RowProps) => {
    const { row, layout, writing, commenting, actions } = props;
    const { oldLine, newLine } = row;
    const number = (line: PatchLine | null, side: Side) => <LineNumber {...props} line={line} side={side} />;
    const text = (line: PatchLine | null, other: PatchLine | null) => (
      <Text line={line} other={other} tokens={line && props.tokens.get(line)} />
    );
    const margin = props.hasMargin && (
      <LineMark
        lines={props.mark}
        isOpen={props.isExplained}
        inTabOrder={props.isFirstMark}
        toggle={() => actions.explain((newLine ?? oldLine)!)}
      />
    );
    const width = columnsOf(layout, props.hasMargin);
    const comments = [props.oldComment, props.freshComment].filter(comment => comment !== undefined);
    const edited = writing && comments.find(comment => sideOf(comment) === sideOf(writing));
    return (
      <>
        {layout === 'split' ? (
          <tr className={props.isPicked ? 'picked' : undefined}>
            {number(oldLine, 'old')}
            {text(oldLine, newLine)}
            {margin}
            {number(newLine, 'new')}
            {text(newLine, oldLine)}
          </tr>
        ) : (
          <tr className={`line-${(oldLine ?? newLine)!.kind}${props.isPicked ? ' picked' : ''}`}>
            {margin}
            {number(oldLine, 'old')}
            {number(newLine, 'new')}
            {text(newLine ?? oldLine, row.partner)}
          </tr>
        )}
        {props.isExplained && props.mark && (
          <Remark width={width}>
            <LineTests lines={props.mark} />
          </Remark>
        )}
        {commenting &&
          comments
            .filter(comment => comment !== edited)
            .map(comment => (
              <Remark key={sideOf(comment)} width={width}>
                <Written comment={comment} commenting={commenting} edit={() => actions.edit(comment)} />
              </Remark>
            ))}
        {commenting && writing && (
          <Remark width={width}>
            <CommentEditor
              place={writing}
              before={edited ?? undefined}
              commenting={commenting}
              close={actions.close}
              textOf={actions.textOf}
            />
          </Remark>
        )}
      </>
    );
  },
  (before, after) =>
    (Object.keys(after) as (keyof RowProps)[]).every(
      name => name === 'commenting' || before[name] === after[name],
    ) &&
    (before.commenting === after.commenting || !(after.writing ?? after.oldComment ?? after.freshComment)),
);

export const columnsOf = (layout: Layout, hasMargin: boolean): number =>
  (layout === 'split' ? 4 : 3) + Number(hasMargin);

const Remark = ({ width, children }: { width: number; children: ReactNode }) => (
  <tr className="remark">
    <td colSpan={width}>{children}</td>
  </tr>
);

function LineNumber({
  line,
  side,
  current,
  commenting,
  path,
  actions,
  layout,
}: RowProps & { line: PatchLine | null; side: Side }) {
  const w = useWords();
  const shade = layout === 'split' && line ? `at side-${line.kind}` : 'at';
  if (!line) return <td className={layout === 'split' ? 'at no-line' : 'at'} />;
  const spot = linePosition(line);
  if (!commenting?.sides.includes(side) || spot.side !== side)
    return <td className={shade}>{side === 'old' ? line.oldLine : line.newLine}</td>;
  return (
    <td className={shade}>
      <button
        type="button"
        data-line={spot.line}
        data-side={spot.side}
        tabIndex={current === line ? 0 : -1}
        aria-label={w.review.commentOn(path, w.review.lines(spot.line, spot.line, spot.side))}
        onFocus={() => actions.focus(spot)}
        onClick={(event: MouseEvent) => actions.open(spot, event.shiftKey)}
      >
        {spot.line}
      </button>
    </td>
  );
}

function Text({
  line,
  other,
  tokens,
}: {
  line: PatchLine | null;
  other: PatchLine | null;
  tokens: readonly Token[] | null | undefined;
}) {
  if (!line) return <td className="text no-line" />;
  const words = other && line.kind !== 'same' && other !== line;
  const marks = !words
    ? []
    : line.kind === 'deleted'
      ? changedWords(line, other).deleted
      : changedWords(other, line).added;
  return (
    <td className={`text side-${line.kind}`}>
      <span className="sign">{SIGN[line.kind]}</span>
      {painted(tokens ?? [{ text: line.text, kind: '' }], marks)}
    </td>
  );
}

/** Splits coloured text where the marked ranges begin and end. */
function painted(tokens: readonly Token[], marks: readonly Range[]): ReactNode[] {
  const cuts = marks.flat();
  const isMarked = (at: number) => marks.some(([from, to]) => from <= at && at < to);
  const parts: ReactNode[] = [];
  let at = 0;
  for (const { text, kind } of tokens) {
    const ends = [...cuts.filter(cut => cut > at && cut < at + text.length), at + text.length];
    const start = at;
    for (const end of ends) {
      const shown = visible(text.slice(at - start, end - start));
      const key = `${at}`;
      if (isMarked(at))
        parts.push(
          <mark key={key} className={kind || undefined}>
            {shown}
          </mark>,
        );
      else
        parts.push(
          kind ? (
            <span key={key} className={kind}>
              {shown}
            </span>
          ) : (
            shown
          ),
        );
      at = end;
    }
  }
  return parts;
}
