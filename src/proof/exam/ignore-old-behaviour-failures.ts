/** Recognizes failures that show only that a test needs what a changed function did before the change. Pure. */
import { isGreen, outcomeIn } from '../../core/policy/criteria/test-outcomes.ts';
import type { FailedTest } from '../../formats/exam/runs-of-unfinished-exam.ts';
import type { TestCases } from '../../formats/test-cases.ts';
import type { PlaceInUnit, Planted } from './faults/plant-faults.ts';
import { linesOf, type Offsets, offsetsOf } from './syntax/text-lines.ts';
import type { Unit } from './units.ts';
import type { StubbedResult } from './variants/restore-old-and-stub-new-functions.ts';

/**
 * Tests of new behaviour that pass if the changed functions have their old bodies and new functions do nothing. If such
 * a test fails when the body of a changed function is broken, it only needs what the function did before.
 */
export interface OldBehaviour extends Pick<StubbedResult, 'changedBodies'> {
  /** Ids of the tests. */
  readonly tests: ReadonlySet<string>;
}

export const NO_OLD_BEHAVIOUR: OldBehaviour = { tests: new Set(), changedBodies: new Map() };

/** `tests`: ids of the tests of new behaviour; `stubs`: the outcomes on the stubbed result, if it was tested. */
export const oldBehaviourOf = (
  { changedBodies }: StubbedResult,
  tests: readonly string[],
  stubs: TestCases | undefined,
): OldBehaviour => ({
  changedBodies,
  tests: new Set(tests.filter(test => stubs && isGreen(outcomeIn(stubs, test)))),
});

/** The failures that count as evidence if the units are taken out together. */
export const failuresWithoutUnits = (
  failures: readonly FailedTest[],
  units: readonly Unit[],
  old: OldBehaviour,
): FailedTest[] =>
  failures.filter(
    ({ test }) =>
      !old.tests.has(test) ||
      !units.some(({ file, head }) =>
        isInChangedBody(file.path, offsetsOf(linesOf(file.head ?? ''), head), old),
      ),
  );

/** The failures that count as evidence when the fault is planted. */
export const failuresWithFault = (
  { failures, file, fault }: Planted<PlaceInUnit>,
  old: OldBehaviour,
): FailedTest[] =>
  failures.filter(({ test }) => !old.tests.has(test) || !isInChangedBody(file.path, fault.edit, old));

/** A fault may also be inserted at the start of a body that consists of one expression. */
const isInChangedBody = (path: string, { from, to }: Offsets, { changedBodies }: OldBehaviour): boolean =>
  (changedBodies.get(path) ?? []).some(body => from < body.to && (to > body.from || from === body.from));
