/**
 * Plants faults in the unchanged lines of changed files. A test may check behaviour that the change keeps, or only a
 * new name for it: no fault in a changed line makes such a test fail.
 */
import type { FailedTest } from '../../formats/exam-runs.ts';
import type { VariantRuns } from './budgeted-variant-runs.ts';
import type { ChangedFile } from './changed-code.ts';
import { functionsIn } from './empty-declarations.ts';
import { sampledLines } from './faults.ts';
import { declaresOtherNames, textIn } from './identifiers.ts';
import { eachEdit, type Place, type Planted, plantFaults, spread } from './plant-faults.ts';
import { type Lines, lineAt } from './text-edits.ts';

const MAX_AROUND = 6;
const MAX_ELSEWHERE = 20;
const MAX_PER_FUNCTION = 3;

/** The tests that fail, for each fault. */
type Failures = readonly (readonly FailedTest[])[];

/** First in the changed functions, then a few in each of the other functions, until each of the tests has failed. */
export async function plantAround(
  files: readonly ChangedFile[],
  tests: ReadonlySet<string>,
  runs: VariantRuns,
): Promise<Failures> {
  const found = files.map(unchangedPlaces);
  const around = found.flatMap(each => each.around);
  const elsewhere = spread(found.flatMap(each => each.elsewhere));
  const first = await plantFor(tests, around, MAX_AROUND, runs);
  const open = [...tests].filter(test => !isProven(test, first, runs));
  return [...first, ...(await plantFor(new Set(open), elsewhere, MAX_ELSEWHERE, runs))];
}

/** In renamed functions, until each of the tests has failed. */
export function plantInRenamed(
  files: readonly ChangedFile[],
  tests: ReadonlySet<string>,
  runs: VariantRuns,
): Promise<Failures> {
  const renamed = files.filter(({ head, base, atoms }) =>
    atoms.some(atom => declaresOtherNames(textIn(base, atom.base), textIn(head, atom.head))),
  );
  const places = renamed.flatMap(file => unchangedPlaces(file).around);
  return plantFor(tests, places, MAX_AROUND, runs);
}

async function plantFor(
  tests: ReadonlySet<string>,
  places: readonly Place[],
  max: number,
  runs: VariantRuns,
): Promise<Failures> {
  const failuresIn = (planted: readonly Planted<Place>[]) => planted.map(({ failures }) => failures);
  const planted = await plantFaults(places.values(), runs, {
    max,
    isEnough: seen => [...tests].every(test => isProven(test, failuresIn(seen), runs)),
  });
  return failuresIn(planted);
}

const isProven = (test: string, failures: Failures, { isEvidence }: VariantRuns): boolean =>
  failures.flat().some(failure => failure.test === test && isEvidence(failure));

/** Places in unchanged lines: those of the changed functions, and some in every other function. */
function unchangedPlaces(file: ChangedFile): Record<'around' | 'elsewhere', Place[]> {
  const { head, atoms, language } = file;
  if (head === null || language.grammar === null) return { around: [], elsewhere: [] };
  const lines = functionsIn(language.grammar.parser.parse(head), head).map(({ from, to }) => ({
    from: lineAt(head, from),
    to: lineAt(head, to),
  }));
  const isChanged = (line: number) => atoms.some(atom => line >= atom.head.from && line < atom.head.to);
  const isTouched = ({ from, to }: Lines) =>
    atoms.some(atom => atom.head.from <= to && Math.max(atom.head.to, atom.head.from + 1) > from);
  const within = (functions: readonly Lines[]) =>
    spread(
      sampledLines(
        file,
        line => !isChanged(line) && functions.some(({ from, to }) => line >= from && line <= to),
      ),
    ).map(at => ({ file, at }));
  return {
    around: within(lines.filter(isTouched)),
    elsewhere: lines
      .filter(each => !isTouched(each))
      .flatMap(each =>
        within([each])
          .flatMap(({ at }) => eachEdit(at).map(each => ({ file, at: each })))
          .slice(0, MAX_PER_FUNCTION),
      ),
  };
}
