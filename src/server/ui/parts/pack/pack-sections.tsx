/** The merge-readiness pack: tests, evidence, and the user's decisions. */

import { Link } from 'wouter';
import { packWarnings } from '../../../../core/run/pack/warnings.ts';
import { spelledOut } from '../../../../core/text/markdown-quote.ts';
import type { MrpView } from '../../../pack-protocol.ts';
import { formatCost, formatDuration, short } from '../../format.ts';
import { useWords } from '../../preferences.ts';
import { CheckList } from './check-results.tsx';
import { CountsBar, Log, MachineResult } from './test-results.tsx';

/** Warns that agents ran without a sandbox. Shown above everything else in a pack. */
export function AgentsWithoutSandbox({ pack: { evidence } }: { pack: MrpView }) {
  const w = useWords();
  return evidence?.agents_sandbox === 'none' && <p className="note caution">{w.sandbox.agentsWithout}</p>;
}

/** Maximum number of names in the list of a warning. */
const MAX_NAMES = 50;

/** Warnings that come before the evidence. */
export function Warnings({ pack: { evidence } }: { pack: MrpView }) {
  const w = useWords();
  if (!evidence) return null;
  return packWarnings(evidence).map(({ kind, names }) => {
    if (kind === 'agents-sandbox') return null;
    if (kind === 'tests-sandbox')
      return (
        <p key={kind} className="note caution">
          {w.sandbox.without(names[0] ?? '?')}
        </p>
      );
    const title = w.review.warning[kind];
    return (
      <section key={kind} className="note caution" aria-label={title}>
        <p>{title}</p>
        <ul className="dotted">
          {names.slice(0, MAX_NAMES).map(name => (
            <li key={name}>
              <code>{spelledOut(name)}</code>
            </li>
          ))}
          {names.length > MAX_NAMES && <li>{w.review.more(names.length - MAX_NAMES)}</li>}
        </ul>
      </section>
    );
  });
}

/** The Gatekeeper's reason, quoted, and why Dure lowered the verdict, if it did. */
export function GatekeeperJudgement({ pack: { judgement } }: { pack: MrpView }) {
  const w = useWords();
  if (!judgement) return null;
  return (
    <section aria-labelledby="judgement">
      <h2 id="judgement">{w.review.gatekeeper(w.verdict(judgement.claimed))}</h2>
      <blockquote className="quoted">{judgement.reason}</blockquote>
      {judgement.lowered && <p className="warn">{w.review.loweredBecause(w.lowered(judgement.lowered))}</p>}
    </section>
  );
}

export function PackTests({ pack }: { pack: MrpView }) {
  const w = useWords();
  const { tests } = pack;
  const failed = tests?.test_results?.failed ?? 0;
  return (
    <section className="sheet" aria-labelledby="tests">
      <h2 id="tests">{w.review.tests}</h2>
      {tests === null ? (
        <RecordedTests pack={pack} />
      ) : (
        <>
          <p className="row">
            <MachineResult machine={tests.machine} />
            <span className="soft">
              {w.run.exit(tests.exit_code)}, {formatDuration(w, tests.duration_ms)}
            </span>
          </p>
          {tests.sandbox === 'bubblewrap' && <p className="soft">{w.sandbox.inside(tests.sandbox)}</p>}
          {tests.problem && <p className="bad">{tests.problem}</p>}
          {tests.test_results && <CountsBar counts={tests.test_results} />}
          {tests.changed_coverage !== undefined && (
            <p className="soft">{w.run.changedCoverage(tests.changed_coverage.toFixed(1))}</p>
          )}
          {tests.unmeasured && (
            <p className="soft">
              {w.run.unmeasured} {tests.unmeasured.join(', ')}
              {tests.unmeasured_count !== undefined &&
                `, ${w.run.moreFiles(tests.unmeasured_count - tests.unmeasured.length)}`}
            </p>
          )}
          {tests.coverage !== undefined && (
            <p className="soft">{w.run.coverage(tests.coverage.toFixed(1))}</p>
          )}
          {tests.failures.length > 0 && (
            <ul className="dotted bad">
              {tests.failures.map(failure => (
                <li key={failure}>{failure}</li>
              ))}
              {failed > tests.failures.length && (
                <li>{w.criteria.moreTests(failed - tests.failures.length)}</li>
              )}
            </ul>
          )}
          <p className="command">
            <code>{tests.command}</code>
          </p>
        </>
      )}
      {tests && (
        <details>
          <summary>{w.run.log}</summary>
          <Log text={pack.log_tail} />
        </details>
      )}
      {pack.evidence && <CheckList checks={pack.evidence.checks} />}
    </section>
  );
}

/** The tests of an earlier pack, as far as they are recorded in its evidence. */
function RecordedTests({ pack: { evidence } }: { pack: MrpView }) {
  const w = useWords();
  if (!evidence || evidence.test_machine === 'not-run') return <p className="soft">{w.run.noTests}</p>;
  return (
    <>
      <MachineResult machine={evidence.test_machine} />
      <CountsBar counts={evidence.tests} />
    </>
  );
}

export function EvidenceTable({ pack: { evidence } }: { pack: MrpView }) {
  const w = useWords();
  if (!evidence) return null;
  const facts: [string, React.ReactNode][] = [
    [w.review.verdict, w.verdict(evidence.verdict)],
    [w.review.iterations, evidence.iterations],
    [w.review.author, evidence.test_author.replace(/^[\w-]+/, w.role)],
    [w.review.base, <code key="base">{short(evidence.base)}</code>],
    [
      w.cost.title,
      evidence.cost_usd === null ? w.cost.unknown : formatCost(w, evidence.cost_usd, evidence.cost_complete),
    ],
  ];
  return (
    <section className="sheet" aria-labelledby="evidence">
      <h2 id="evidence">{w.review.evidence}</h2>
      <dl className="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

export function DecisionList({ pack }: { pack: MrpView }) {
  const w = useWords();
  if (pack.decisions.length === 0) return null;
  return (
    <section aria-labelledby="decisions">
      <h2 id="decisions">{w.review.decisions}</h2>
      <ul className="decisions">
        {pack.decisions
          .map(({ crp, vcr }) => ({ crp: crp && w.question.shown(crp), vcr }))
          .map(({ crp, vcr }) => (
            <li key={vcr.vcr_id}>
              <Link href={`/run/${pack.run_id}/crp/${vcr.crp_id}`}>{crp?.question ?? vcr.crp_id}</Link>
              <p>
                <strong>
                  {crp?.options.find(option => option.id === vcr.decision)?.label ?? vcr.decision}
                </strong>{' '}
                <span className="soft">{vcr.rationale}</span>
              </p>
            </li>
          ))}
      </ul>
    </section>
  );
}
