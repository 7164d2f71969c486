/**
 * Normalizes failure messages so that the same cause gives the same text: times, durations, ids and temporary folders
 * are replaced.
 */
import type { EventOf } from '../../formats/events/events.ts';
import type { RunState } from '../../formats/state.ts';
import { stepThatYields } from './pipeline/look-up-steps.ts';

/** The failure message if the Builder left the tree unchanged. */
export const NOTHING_CHANGED = 'nothing was changed in builder/output';

const PASSING: readonly [RegExp, string][] = [
  [/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?Z?/g, '<time>'],
  [/\b\d+(?:\.\d+)?\s?(?:ms|s|min|h)\b/g, '<duration>'],
  [/\/tmp\/\S+/g, '<temporary>'],
  [/\b(?=[0-9a-f]*\d)[0-9a-f]{7,}\b/g, '<id>'],
  [/\s+/g, ' '],
];
const MAX_LENGTH = 2000;

export const causeOf = (message: string): string =>
  PASSING.reduce((text, [what, instead]) => text.replace(what, instead), message)
    .trim()
    .slice(0, MAX_LENGTH);

/** Null if the tests passed. */
export function causeOfTests({
  machine,
  problem,
  counts,
  failures = [],
}: EventOf<'tests.executed'>): string | null {
  if (machine === 'pass') return null;
  return causeOf(
    [machine, problem, counts && `${counts.failed} failed`, ...failures].filter(Boolean).join(' '),
  );
}

/** Null if the only objection is an agent's prose, which differs every time. */
export function causeOfVerdict(s: RunState, lowered: string | null): string | null {
  const proof = stepThatYields(s.setup, 'proof');
  const tests = proof && s.setup.criteria.tests_passing ? s.causes[proof.name] : undefined;
  return tests ?? (lowered === null ? null : causeOf(lowered));
}
