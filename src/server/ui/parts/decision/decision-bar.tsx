/** Shows the facts needed to decide on a pack, and the buttons to do so. Stays visible while the page scrolls. */
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import {
  type FactsBesideVerdict,
  factsBesideVerdict,
} from '../../../../core/run/pack/facts-beside-verdict.ts';
import type { Evidence } from '../../../../formats/evidence.ts';
import type { MrpView } from '../../../pack-protocol.ts';
import type { PatchFile } from '../../diff/parse-patch.ts';
import { formatCost } from '../../format.ts';
import type { ReviewDecision } from '../../hooks/use-decision.ts';
import { useWords } from '../../preferences.ts';
import { SubmitButton } from '../button-needing-connection.tsx';
import { reachable } from '../focusable-scroll.ts';
import { MachineResult } from '../pack/test-results.tsx';
import { ErrorState } from '../placeholders.tsx';

export function DecisionBar({
  pack,
  files,
  comments,
  decision,
  askToApprove,
}: {
  pack: MrpView;
  files: readonly PatchFile[];
  comments: number;
  decision: ReviewDecision;
  askToApprove: () => void;
}) {
  const w = useWords();
  const bar = useRef<HTMLElement>(null);
  const showsTitle = useIsAbove(HEADING);
  useLayoutEffect(() => {
    // File headers stay below the bar, unless the bar is at the bottom.
    const page = document.documentElement.style;
    const watch = new ResizeObserver(() => {
      const { position, height } = getComputedStyle(bar.current!);
      page.setProperty('--decision-bar', position === 'sticky' ? height : '0px');
    });
    watch.observe(bar.current!, { box: 'border-box' });
    return () => {
      watch.disconnect();
      page.removeProperty('--decision-bar');
    };
  }, []);
  return (
    <section className="decision-bar" ref={bar} aria-label={w.question.options}>
      <strong className="decision-title">{showsTitle && pack.title}</strong>
      <Facts pack={pack} files={files} />
      {pack.open && (
        <span className="row">
          <SubmitButton disabled={decision.isBusy} onClick={decision.requestChanges}>
            {w.review.reject}
            {comments > 0 && <span className="soft">{w.review.comments(comments)}</span>}
          </SubmitButton>
          <SubmitButton className="main" disabled={decision.isBusy} onClick={askToApprove}>
            {w.review.approve}
          </SubmitButton>
        </span>
      )}
      {decision.error !== null && decision.error !== undefined && (
        <div className="decision-error" {...reachable}>
          <ErrorState error={decision.error} />
        </div>
      )}
    </section>
  );
}

/** Id of the heading with the title of the run. */
export const HEADING = 'review-title';

/** Whether the element has been scrolled out of sight. */
function useIsAbove(id: string): boolean {
  const [isAbove, setAbove] = useState(false);
  useLayoutEffect(() => {
    // The masthead covers the first 49 pixels.
    const watch = new IntersectionObserver(seen => setAbove(!seen.at(-1)!.isIntersecting), {
      rootMargin: '-49px 0px 0px',
    });
    watch.observe(document.getElementById(id)!);
    return () => watch.disconnect();
  }, [id]);
  return isAbove;
}

function Facts({ pack, files }: { pack: MrpView; files: readonly PatchFile[] }) {
  const w = useWords();
  const { evidence } = pack;
  const sum = (key: 'added' | 'deleted') => files.reduce((total, file) => total + file[key], 0);
  return (
    <ul className="about decision-facts">
      {evidence && <FactItems evidence={evidence} judgement={pack.judgement} />}
      <li>
        {w.review.files(files.length)} <span className="good">+{sum('added')}</span>{' '}
        <span className="bad">−{sum('deleted')}</span>
      </li>
      {evidence && evidence.cost_usd !== null && (
        <li>{formatCost(w, evidence.cost_usd, evidence.cost_complete)}</li>
      )}
    </ul>
  );
}

function FactItems({ evidence, judgement }: { evidence: Evidence } & Pick<MrpView, 'judgement'>) {
  const w = useWords();
  const { verdict, tests, checks } = factsBesideVerdict(evidence);
  const { passed, total } = evidence.tests;
  const facts: Record<keyof FactsBesideVerdict, ReactNode> = {
    verdict: (
      <>
        <span className={verdict.isGood ? 'good' : 'warn'}>{w.verdict(evidence.verdict)}</span>
        {judgement?.lowered && (
          <span className="soft"> ({w.review.lowered(w.verdict(judgement.claimed))})</span>
        )}
        {verdict.accepted && <span className="warn"> ({w.review.acceptedAs[verdict.accepted]})</span>}
      </>
    ),
    tests: (
      <>
        {!tests.isGood && <MachineResult machine={evidence.test_machine} />}
        {total > 0 && (
          <span className={tests.isGood ? 'good' : 'bad'}> {w.review.passedOf(passed, total)}</span>
        )}
      </>
    ),
    checks: (
      <span className={checks.tone}>
        {checks.total === 0
          ? w.review.noChecks
          : checks.regressed > 0
            ? w.review.regressed(checks.regressed)
            : w.review.checksPassed(checks.passed, checks.total)}
      </span>
    ),
  };
  return Object.entries(facts).map(([name, fact]) => <li key={name}>{fact}</li>);
}
