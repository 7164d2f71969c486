/** Decides whether the exam has broken every part of the change. Pure. */

import type { Exam } from '../../formats/exam/exam-units-and-faults.ts';
import { isTest } from '../test-paths.ts';
import type { Change } from './changed-code.ts';

/** Tests and other files on which no test of behaviour depends. */
const BESIDE = /(?:^|\/)(?:tests?|__tests__|docs?)\/|\.(?:md|lock)$|(?:^|\/)package-lock\.json$/;

/** If only the name or the mode of a file changed, there is nothing to break. */
const hasLines = ({ atoms, head }: Change['code'][number]): boolean => atoms.length > 0 || head === '';

/**
 * Whether everything in the change was broken. If so, a test that never failed does not depend on any changed file.
 */
export const isAllBroken = ({ code, others }: Change, { complete }: Pick<Exam, 'complete'>): boolean =>
  complete && others.every(path => isTest(path) || BESIDE.test(path)) && code.every(hasLines);
