/** Defines how tests name acceptance criteria. Pure. */
import type { Criterion } from '../../../formats/exam/acceptance-criteria.ts';

/** Used in place of criteria in a run that has none. */
export const WHOLE_BRIEFING: Criterion = {
  id: 'AC-0',
  kind: 'behaviour',
  text: 'the briefing as a whole',
};

/** `AC-2: …`, `test_ac2_…` and `TestAC2…`, but not `mac2`. */
const TAG = /(?:(?<![A-Za-z0-9])AC|(?<![A-Za-z0-9])ac|(?<=[a-z])AC)[-_ ]?([1-9]\d?)(?!\d)/g;
/** `FB-1.2: …`, `test_fb_1_2_…` and `TestFB1_2…`. */
const FEEDBACK_TAG =
  /(?:(?<![A-Za-z0-9])FB|(?<![A-Za-z0-9])fb|(?<=[a-z])FB)[-_ ]?([1-9]\d{0,2})[-._]([1-9]\d{0,2})(?!\d)/g;

/** Finds the ids that a title, a name or a source text mentions. */
export const criteriaIn = (text: string): string[] => [
  ...new Set([
    ...[...text.matchAll(TAG)].map(([, number]) => `AC-${number}`),
    ...[...text.matchAll(FEEDBACK_TAG)].map(([, round, number]) => `FB-${round}.${number}`),
  ]),
];
