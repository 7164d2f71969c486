/**
 * Determines what counts against the current result, and whether new code or new tests can fix it. Pure. Only the
 * tests, their exam and the project's checks count, so both can be determined even if the Gatekeeper had other reasons
 * not to pass the result.
 */

import type { RunState } from '../../../formats/state.ts';
import { truncatedBullets } from '../../text/truncate-list.ts';
import { checksOf, proofOf } from '../state/current-results.ts';
import { type CeilingReason, ceilingsOfVerdict, obstacle } from './verdict-ceiling.ts';

/** Returns what counts against the current result. Tests that were not run on it say nothing about it. */
function evidenceAgainst(s: RunState): readonly CeilingReason[] {
  const proof = proofOf(s);
  const limits = ceilingsOfVerdict('PASS', proof, s.setup.criteria, undefined, checksOf(s));
  const blocked = obstacle(proof)?.because;
  return limits.filter(({ because }) => because !== blocked);
}

/**
 * Returns what has to be repaired, or null if nothing counts against the result. The code comes first, because new
 * code gets new tests. Evidence from the exam calls for new tests: it is sent to a person only because the tests were
 * already sent back once.
 */
export function repairedBy(s: RunState): 'tree' | 'tests' | null {
  const acting = evidenceAgainst(s).map(({ back_to }) => back_to);
  if (acting.length === 0) return null;
  return acting.includes('tree') ? 'tree' : 'tests';
}

const MAX_LISTED = 10;

/** Adds the evidence that the message does not mention, as Markdown that is also readable as plain text. */
export function withEvidenceAgainst(s: RunState, message: string): string {
  const all = evidenceAgainst(s)
    .map(({ because }) => because.replace(/\s*\n\s*/g, ' '))
    .filter(because => !message.includes(because));
  if (all.length === 0) return message;
  return `${message}\n\nEvidence against the result:\n\n${truncatedBullets(all, MAX_LISTED).join('\n')}`;
}
