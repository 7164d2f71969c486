/** One line of a diff, with its comment below. */
import { memo } from 'react';
import { visible } from '../../../core/policy/markdown-quote.ts';
import type { PatchLine } from '../patch.ts';
import { type Comment, type Commenting, Remark, Written } from './line-comment.tsx';

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

export const DiffLine = memo(
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
