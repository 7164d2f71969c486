/** Renders "Proof", the first section of a pack: the verdict, and what it is based on. This module is pure. */

import type { Evidence } from '../../../formats/evidence.ts';
import type { CriteriaReport } from '../../../formats/exam/criteria-report.ts';
import type { RunState } from '../../../formats/state.ts';
import { countConfirmedCriteria } from '../../policy/criteria/sort-and-count-criteria.ts';
import { stepThatYields, titleOfRole } from '../../policy/pipeline/look-up-steps.ts';
import { testResultOf } from '../../policy/state/current-results.ts';
import { quotedName } from '../../text/markdown-quote.ts';
import { CHECK_STATUS_MARKDOWN } from './checks-section.ts';

export const MACHINE = {
  pass: 'passed',
  fail: 'failed',
  'could-not-run': 'could not be run',
  'not-run': 'were not run',
} as const satisfies Record<Evidence['test_machine'], string>;

interface Proof {
  readonly state: RunState;
  readonly evidence: Evidence;
  readonly criteria: CriteriaReport;
}

export function proofSection({ state, evidence, criteria }: Proof): string {
  const { passed, total } = evidence.tests;
  const { confirmed, of } = countConfirmedCriteria(criteria.criteria);
  const checks = evidence.checks.map(
    ({ name, status }) => `${quotedName(name)} ${CHECK_STATUS_MARKDOWN[status]}`,
  );
  return [
    ...verdict(state),
    `- Tests, run by Dure: **${MACHINE[evidence.test_machine]}**${total > 0 ? `, ${passed} of ${total} passed` : ''}`,
    ...(checks.length > 0 ? [`- The project's own checks: ${checks.join(', ')}`] : []),
    ...(criteria.sha256 === null ? [] : [`- Acceptance criteria: ${confirmed} of ${of} confirmed`]),
  ].join('\n');
}

function verdict(s: RunState): string[] {
  const step = stepThatYields(s.setup, 'verdict');
  const { verdict: given, claimed, lowered } = s.verdict ?? { verdict: null, claimed: null, lowered: null };
  return [
    ...(given === null ? [] : [`- Verdict: **${given}**`]),
    ...(step && claimed !== null && lowered !== null
      ? [
          `- The ${titleOfRole(step.role)} said ${quotedName(claimed)}; Dure lowered the verdict: ${quotedName(lowered)}`,
        ]
      : []),
    ...(s.accepted ? [`- **A person accepted this result: ${acceptedAs(s)}.**`] : []),
  ];
}

/** Says how the result was accepted. */
function acceptedAs(s: RunState): string {
  if (testResultOf(s)?.machine !== 'pass') return 'accepted without proof';
  return s.verdict === null ? 'accepted without a verdict' : 'accepted although it did not pass';
}
