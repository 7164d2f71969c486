/**
 * The acceptance criteria. The page of a run shows them as sealed; a review also shows what the tests found.
 */

import { criteriaOf } from '../../../../core/policy/criteria/briefing-and-feedback-criteria.ts';
import {
  countNotExamined,
  undefendedPlaces,
} from '../../../../core/policy/criteria/lines-defended-by-tests.ts';
import { shownTests } from '../../../../core/policy/criteria/select-and-count-tests.ts';
import { summarizeCriterionExam } from '../../../../core/policy/criteria/summarize-criterion-exam.ts';
import type { Criterion } from '../../../../formats/exam/acceptance-criteria.ts';
import type { JudgedCriterion, JudgedTest } from '../../../../formats/exam/criteria-report.ts';
import type { Exam } from '../../../../formats/exam/exam-units-and-faults.ts';
import type { RunView } from '../../../http-protocol.ts';
import type { MrpView } from '../../../pack-protocol.ts';
import { useWords } from '../../preferences.ts';
import { InlineCode } from '../inline-code.tsx';

export function SealedCriteria({ run }: { run: RunView }) {
  const w = useWords();
  const criteria = criteriaOf(run);
  if (!criteria) return null;
  return (
    <section className="sheet" aria-labelledby="criteria">
      <h2 id="criteria">{w.criteria.title}</h2>
      <ul className="dotted">
        {criteria.map(each => (
          <li key={each.id}>
            <Described criterion={each} />
          </li>
        ))}
      </ul>
    </section>
  );
}

const TONE: Readonly<Record<JudgedCriterion['status'], string>> = {
  fails: 'bad',
  'could-not-run': 'bad',
  'not-claimed': 'warn',
  passes: 'warn',
  confirmed: 'good',
  look: 'soft',
};

/** The criteria, if the run has any, and what the exam could not show. */
export function JudgedCriteria({ pack: { criteria } }: { pack: MrpView }) {
  return (
    <>
      {criteria?.sha256 && <CriteriaList criteria={criteria.criteria} />}
      {criteria?.change && <NotShownByExam change={criteria.change} />}
    </>
  );
}

function CriteriaList({ criteria }: { criteria: readonly JudgedCriterion[] }) {
  const w = useWords();
  return (
    <section aria-labelledby="criteria">
      <h2 id="criteria">{w.criteria.title}</h2>
      <ul className="dotted">
        {criteria.map(each => (
          <li key={each.id}>
            <Described criterion={each} />
            <p className={TONE[each.status]}>
              {w.criteria.status[each.status]}
              <Looks criterion={each} />
              {each.reason !== null && `: ${w.reason(each.reason)}`}
            </p>
            <Tests criterion={each} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Tests({ criterion }: { criterion: JudgedCriterion }) {
  const w = useWords();
  const { listed, count, others, other_count } = shownTests(criterion);
  if (count + other_count === 0) return null;
  return (
    <details>
      <summary>
        {other_count > 0 ? w.criteria.provenBy(count, count + other_count) : w.criteria.tests(count)}
      </summary>
      <TestList tests={listed} count={count} />
      {other_count > 0 && (
        <>
          <p className="soft">{w.criteria.others(other_count)}</p>
          <TestList tests={others} count={other_count} />
        </>
      )}
    </details>
  );
}

/** `tests` may contain only the first few of `count` tests. */
function TestList({ tests, count }: { tests: readonly JudgedTest[]; count: number }) {
  const w = useWords();
  return (
    <ul>
      {tests.map(({ id }) => (
        <li key={id} className="mono">
          {id}
        </li>
      ))}
      {count > tests.length && <li>{w.criteria.moreTests(count - tests.length)}</li>}
    </ul>
  );
}

function Looks({ criterion }: { criterion: JudgedCriterion }) {
  const w = useWords();
  const looks = summarizeCriterionExam(criterion);
  return looks && ` (${w.criteria.looks(looks)})`;
}

/** Maximum number of places in the list. The margin of the diff shows all of them. */
const MAX_PLACES = 8;

function NotShownByExam({ change }: { change: Exam }) {
  const w = useWords();
  const places = undefendedPlaces(change);
  if (places.length === 0 && change.complete) return null;
  return (
    <section>
      {places.length > 0 && <h2>{w.criteria.undefended}</h2>}
      <ul className="dotted">
        {places.slice(0, MAX_PLACES).map(place => (
          <li key={place} className="mono">
            {place}
          </li>
        ))}
        {places.length > MAX_PLACES && <li>{w.criteria.more(places.length - MAX_PLACES)}</li>}
      </ul>
      {!change.complete && <p className="warn">{w.criteria.incomplete(countNotExamined(change))}</p>}
    </section>
  );
}

function Described({ criterion: { id, kind, text } }: { criterion: Criterion }) {
  const w = useWords();
  return (
    <>
      <strong>{id}</strong> <InlineCode text={text} />{' '}
      {kind !== 'behaviour' && <span className="soft">({w.criteria.kind[kind]})</span>}
    </>
  );
}
