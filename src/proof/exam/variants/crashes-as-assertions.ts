/**
 * Recognizes tests that turn a crash of the code into a failed assertion, such as
 * `except Exception as e: error = e` before `assert error is None`, or `assert done.returncode == 0`. They notice
 * every fault that makes the code crash, whatever their criterion says. For these tests, a failed assertion counts only
 * if it also fails when the functions of the changed files hide their errors.
 */
import type { FailedTest } from '../../../formats/exam/runs-of-unfinished-exam.ts';
import type { Change, ChangedFile } from '../changed-code.ts';
import { type FunctionNode, functionsIn } from '../faults/empty-declarations.ts';
import type { FunctionErrors } from '../syntax/function-errors.ts';
import { syntaxErrors } from '../syntax/parse-code.ts';
import { type Edit, edited } from '../syntax/text-edits.ts';
import { lineFinder } from '../syntax/text-lines.ts';
import type { VariantRuns } from './budgeted-variant-runs.ts';
import type { Variant } from './variant.ts';

/** Runs variants so that a failed assertion that shows only a crash is reported as an error. */
export function withoutConvertedCrashes(change: Change, runs: VariantRuns): VariantRuns {
  let found: Promise<ReadonlySet<string>> | undefined;
  return {
    ...runs,
    get count() {
      return runs.count;
    },
    get isOutOfTime() {
      return runs.isOutOfTime;
    },
    async resultOf(variant) {
      const seen = await runs.resultOf(variant);
      if (seen?.result !== 'assert') return seen;
      found ??= testsThatConvertCrashes(change, runs);
      const tests = await found;
      if (!seen.failures.some(each => isAsserted(each) && tests.has(each.test))) return seen;
      const kept = await assertedIn(withHiddenErrors(change, variant), runs);
      const failures = seen.failures.map(
        (each): FailedTest =>
          isAsserted(each) && tests.has(each.test) && !kept.has(each.test)
            ? { ...each, failure: 'error' }
            : each,
      );
      return { failures, result: failures.some(isAsserted) ? 'assert' : 'red' };
    },
  };
}

const isAsserted = ({ failure }: FailedTest): boolean => failure === 'assert';

const assertedIn = async (variant: Variant, runs: VariantRuns): Promise<Set<string>> =>
  new Set((await runs.resultOf(variant))?.failures.filter(isAsserted).map(({ test }) => test));

/**
 * The tests in which an assertion fails if functions raise errors, except those that fail if the functions of the
 * result hide their errors: for these, a run with hidden errors shows nothing.
 */
async function testsThatConvertCrashes(change: Change, runs: VariantRuns): Promise<ReadonlySet<string>> {
  const raised = withRaisedErrors(change, () => true);
  const isLoaded = (await runs.resultOf(raised))?.result !== 'load';
  // If a file cannot be loaded, its top-level code may call an unchanged function, so only changed ones raise errors.
  const asserted = await assertedIn(isLoaded ? raised : withRaisedErrors(change, isChanged), runs);
  if (asserted.size === 0) return asserted;
  const hidden = await runs.resultOf(withHiddenErrors(change, { of: 'head', edits: new Map() }));
  for (const { test } of hidden?.failures ?? []) asserted.delete(test);
  return asserted;
}

const withRaisedErrors = (
  change: Change,
  isWanted: (of: FunctionNode, file: ChangedFile) => boolean,
): Variant =>
  withFunctions(change, { of: 'head', edits: new Map() }, (errors, each, code, file) =>
    isWanted(each, file) ? errors.raised(each.node, code) : [],
  );

const withHiddenErrors = (change: Change, variant: Variant): Variant =>
  withFunctions(change, variant, (errors, { node }, code) => errors.hidden(node, code));

/** Edits the functions in the changed files of a variant. */
function withFunctions(
  { code }: Change,
  variant: Variant,
  editsOf: (errors: FunctionErrors, of: FunctionNode, code: string, file: ChangedFile) => Edit[],
): Variant {
  const edits = new Map(variant.edits);
  for (const file of code) {
    const { path, head, language } = file;
    const { grammar } = language;
    const text = edits.has(path) ? edits.get(path)?.toString() : head;
    if (!grammar?.errors || text === undefined || text === null) continue;
    const functions = functionsIn(grammar.parser.parse(text), text);
    const changed = edited(
      text,
      functions.flatMap(each => editsOf(grammar.errors!, each, text, file)),
    );
    if (syntaxErrors(changed, language) <= syntaxErrors(text, language))
      edits.set(path, Buffer.from(changed));
  }
  return { ...variant, edits };
}

/** Whether the change adds a line to the function, changes one, or removes one. */
function isChanged({ from, to }: FunctionNode, { head, atoms }: ChangedFile): boolean {
  const lineOf = lineFinder(head ?? '');
  const [first, last] = [lineOf(from), lineOf(to)];
  return atoms.some(({ head }) => head.from <= last && Math.max(head.to, head.from + 1) > first);
}
