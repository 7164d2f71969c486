/** The acceptance criteria: as sealed on the page of a run, and with what the tests show in a review. */
import type { Criterion } from '../../../formats/criteria.ts';
import type { JudgedCriterion } from '../../../formats/criteria-report.ts';
import type { MrpView } from '../../decision-protocol.ts';
import type { RunView } from '../../protocol.ts';
import { useWords } from '../preferences.ts';

export function SealedCriteria({ run: { criteria } }: { run: RunView }) {
  const w = useWords();
  if (!criteria) return null;
  return (
    <section className="sheet" aria-labelledby="criteria">
      <h2 id="criteria">{w.criteria.title}</h2>
      <ul className="dotted">
        {criteria.list.map(each => (
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
  passes: 'good',
  look: 'soft',
};

export function JudgedCriteria({ pack: { criteria } }: { pack: MrpView }) {
  const w = useWords();
  if (!criteria?.sha256) return null;
  return (
    <section aria-labelledby="criteria">
      <h2 id="criteria">{w.criteria.title}</h2>
      <ul className="dotted">
        {criteria.criteria.map(each => (
          <li key={each.id}>
            <Described criterion={each} />
            <p className={TONE[each.status]}>
              {w.criteria.status[each.status]}
              {each.reason !== null && `: ${each.reason}`}
            </p>
            {each.tests.length > 0 && (
              <details>
                <summary>{w.criteria.tests(each.tests.length)}</summary>
                <ul>
                  {each.tests.map(test => (
                    <li key={test} className="mono">
                      {test}
                    </li>
                  ))}
                </ul>
              </details>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Described({ criterion: { id, kind, text } }: { criterion: Criterion }) {
  const w = useWords();
  return (
    <>
      <strong>{id}</strong> {text}{' '}
      {kind !== 'behaviour' && <span className="soft">({w.criteria.kind[kind]})</span>}
    </>
  );
}
