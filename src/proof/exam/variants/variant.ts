/**
 * A version of the result or of its base commit in which some files differ: the input of every test run of the exam.
 */
import type { TestCases } from '../../../formats/test-cases.ts';
import { withFirstLine } from '../syntax/text-edits.ts';

export interface Variant {
  /** The commit that the variant starts from. */
  readonly of: 'head' | 'base';
  /** New contents of files, keyed by path from the root of the repository; null removes the file. */
  readonly edits: ReadonlyMap<string, Buffer | null>;
  /** New texts of sealed tests, keyed by path. */
  readonly tests?: ReadonlyMap<string, string>;
}

/** Turns off type checks in the edited files: a compiler that checks types must not keep broken code from running. */
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
/** Like `RunTests`, but each test run can be aborted separately. */
export type RunVariant = (variant: Variant, signal: AbortSignal) => Promise<TestCases>;
