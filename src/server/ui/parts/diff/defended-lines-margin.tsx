/** The margin of a diff: how well tests defend each line, which tests notice a change to it, and a strip per file. */
import { LETTERS } from '../../../../core/policy/criteria/lines-defended-by-tests.ts';
import type { DefendedLines } from '../../../../formats/exam/exam-units-and-faults.ts';
import { type Counts, presentIn } from '../../diff/defended-lines.ts';
import { useWords } from '../../preferences.ts';
import { InlineCode } from '../inline-code.tsx';

/** Shown beside the letter of a line that only moved. */
const MOVED = '*';

export function LineMark({
  lines,
  isOpen,
  inTabOrder,
  toggle,
}: {
  lines: DefendedLines | undefined;
  isOpen: boolean;
  inTabOrder: boolean;
  toggle: () => void;
}) {
  const w = useWords();
  if (!lines) return <td className="mark" />;
  const { defence } = lines;
  const text = `${w.lines.defence[defence]}: ${w.lines.why(lines)}`;
  return (
    <td className={`mark mark-${defence}`}>
      <button
        type="button"
        data-mark=""
        tabIndex={inTabOrder ? 0 : -1}
        title={text}
        aria-label={text}
        aria-expanded={isOpen}
        onClick={toggle}
      >
        {LETTERS[defence]}
        {lines.moved && MOVED}
      </button>
    </td>
  );
}

export function LineTests({ lines }: { lines: DefendedLines }) {
  const w = useWords();
  const { defence, tests } = lines;
  return (
    <div className="line-tests">
      <p>
        <strong>{w.lines.defence[defence]}</strong>: <InlineCode text={w.lines.why(lines)} />
      </p>
      {tests.length > 0 && <p className="soft">{w.lines.tests}</p>}
      <ul className="dotted mono">
        {tests.map(test => (
          <li key={test}>{test}</li>
        ))}
      </ul>
    </div>
  );
}

/** One segment per kind of line, with a width proportional to its share. */
export function LineStrip({ counts }: { counts: Counts }) {
  const w = useWords();
  const text = presentIn(counts)
    .map(defence => w.lines.count[defence](counts[defence]))
    .join(', ');
  return (
    <span className="line-strip" role="img" aria-label={text} title={text}>
      {presentIn(counts).map(defence => (
        <span key={defence} className={`strip-${defence}`} style={{ flexGrow: counts[defence] }} />
      ))}
    </span>
  );
}

/** Explains the letters and counts the lines of each kind. `moved` is the number of lines that only moved. */
export function MarginKey({ counts, moved }: { counts: Counts; moved: number }) {
  const w = useWords();
  return (
    <ul className="margin-key" aria-label={w.lines.margin}>
      {presentIn(counts).map(defence => (
        <li key={defence}>
          <span className={`key-${defence}`} aria-hidden="true">
            {LETTERS[defence]}
          </span>{' '}
          {w.lines.count[defence](counts[defence])}
        </li>
      ))}
      {moved > 0 && (
        <li>
          <span aria-hidden="true">{MOVED}</span> {w.lines.countMoved(moved)}
        </li>
      )}
    </ul>
  );
}
