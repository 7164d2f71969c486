/**
 * A version of the result or of its base commit in which some files differ: the input of every test run of the exam.
 */
import type { TestCases } from '../../../formats/test-cases.ts';
import { withFirstLine } from '../syntax/text-edits.ts';

export interface Variant {
  /** The commit that the variant starts from. */
  readonly of: 'head' | 'base';
  /** Path from the root of the repository to the new bytes; null to remove the file. */
  readonly edits: ReadonlyMap<string, Buffer | null>;
  /** Path to the new text of a sealed test. */
  readonly tests?: ReadonlyMap<string, string>;
}

/** The same variant without type errors: a compiler that checks types must not keep broken code from running. */
export const withoutTypeChecks = (variant: Variant): Variant => ({
  ...variant,
  edits: new Map(
    [...variant.edits].map(([path, bytes]) =>
      bytes && IS_TYPED.test(path)
        ? [path, Buffer.from(withFirstLine(bytes.toString(), '// @ts-nocheck'))]
        : [path, bytes],
    ),
  ),
});

const IS_TYPED = /(?<!\.d)\.[cm]?tsx?$/;

/** Runs the tests on a variant. */
export type RunTests = (variant: Variant) => Promise<TestCases>;
/** The same, but each run can be aborted on its own. */
export type RunVariant = (variant: Variant, signal: AbortSignal) => Promise<TestCases>;
