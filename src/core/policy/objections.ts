/**
 * What counts against the current result, according to the tests, their exam and the project's checks, and whose work
 * can repair it. Pure. It follows from the evidence alone, so it is also known if the Gatekeeper did not pass the result
 * for its own reasons.
 */
import type { RunState } from '../../formats/state.ts';
import { checksOf, proofOf } from './test-result.ts';
import { type CeilingReason, limitsOfVerdict, obstacle } from './verdict-ceiling.ts';

/** Tests that were not run on this result say nothing about it. */
export function objections(s: RunState): readonly CeilingReason[] {
  const proof = proofOf(s);
  const limits = limitsOfVerdict('PASS', proof, s.setup.criteria, undefined, checksOf(s));
  const blocked = obstacle(proof)?.because;
  return limits.filter(({ because }) => because !== blocked);
}

/**
 * The code goes first, because the tests are written again for new code. What the exam says goes to a person only because
 * the tests were sent back before: tests still have to repair it. Null: nothing is known against the result.
 */
export function repairedBy(s: RunState): 'tree' | 'tests' | null {
  const acting = objections(s).map(({ back_to }) => back_to);
  if (acting.length === 0) return null;
  return acting.includes('tree') ? 'tree' : 'tests';
}

const MOST_LISTED = 10;

/** A message with the objections that it does not mention, as Markdown that is also readable as plain text. */
export function withObjections(s: RunState, message: string): string {
  const all = objections(s)
    .map(({ because }) => because.replace(/\s*\n\s*/g, ' '))
    .filter(because => !message.includes(because));
  if (all.length === 0) return message;
  const more = all.length > MOST_LISTED ? [`- and ${all.length - MOST_LISTED} more`] : [];
  const listed = [...all.slice(0, MOST_LISTED).map(because => `- ${because}`), ...more];
  return `${message}\n\nWhat counts against the result:\n\n${listed.join('\n')}`;
}
