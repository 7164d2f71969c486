/**
 * Controls for the lines that no test defends: one shows only these lines, the other adds a review comment to each
 * range of them.
 */
import { useMemo } from 'react';
import { linesToTest } from '../../../../core/policy/criteria/lines-defended-by-tests.ts';
import type { DefendedLines } from '../../../../formats/exam/exam-units-and-faults.ts';
import { requestsFor } from '../../diff/defended-lines.ts';
import { FEEDBACK } from '../../hooks/use-decision.ts';
import { useKeys } from '../../keyboard-shortcuts.ts';
import { useWords } from '../../preferences.ts';
import { type Comment, type Commenting, isSamePlace } from '../../review-draft.ts';

export function UndefendedLinesControls({
  lines,
  commenting,
  isOnly,
  setOnly,
}: {
  /** At least one element. */
  lines: readonly DefendedLines[];
  commenting: Commenting;
  isOnly: boolean;
  setOnly: (isOnly: boolean) => void;
}) {
  const w = useWords();
  useKeys(useMemo(() => ({ u: () => setOnly(!isOnly) }), [isOnly, setOnly]));
  const wanted = linesToTest(lines);
  const count = wanted.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  const sendBack = () => {
    const written = (request: Comment) =>
      [...commenting.comments, commenting.unfinished(request.file)].some(
        comment => comment && isSamePlace(comment, request),
      );
    const requests = requestsFor(wanted, range => w.lines.request(w.lines.why(range), range.side));
    commenting.put(...requests.filter(request => !written(request)));
    document.getElementById(FEEDBACK)?.focus();
  };
  return (
    <>
      <label className="row">
        <input type="checkbox" checked={isOnly} onChange={event => setOnly(event.target.checked)} />
        {w.lines.only}
      </label>
      {commenting.sides.length > 0 && count > 0 && (
        <button type="button" className="small" onClick={sendBack}>
          {w.lines.sendBack(count)}
        </button>
      )}
    </>
  );
}
