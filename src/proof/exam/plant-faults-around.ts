/**
 * Plants faults in the unchanged lines of changed files. A test may check behaviour that the change keeps, or only a
 * new name for it: no fault in a changed line makes such a test fail.
 */
import type { FailedTest } from '../../formats/exam-runs.ts';
import type { VariantRuns } from './budgeted-variant-runs.ts';
import type { ChangedFile } from './changed-code.ts';
import { type FaultyLine, faultAt, sampledLines } from './faults.ts';
import { functionsIn } from './hollow-functions.ts';
import { declaresOtherNames, textIn } from './identifiers.ts';
import { eachEdit, plantInFile, spread } from './plant-faults.ts';
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
  const open = new Set(tests);
  const around = found.flatMap(each => each.around);
  const elsewhere = spread(found.flatMap(each => each.elsewhere));
  return [
    ...(await plantIn(around, MAX_AROUND, open, runs)),
    ...(await plantIn(elsewhere, MAX_ELSEWHERE, open, runs)),
  ];
}

/** In functions that got another name, until each of the tests has failed. */
export function plantInRenamed(
  files: readonly ChangedFile[],
  tests: ReadonlySet<string>,
  runs: VariantRuns,
): Promise<Failures> {
  const renamed = files.filter(({ head, base, atoms }) =>
    atoms.some(atom => declaresOtherNames(textIn(base, atom.base), textIn(head, atom.head))),
  );
  return plantIn(
    renamed.flatMap(file => unchangedPlaces(file).around),
    MAX_AROUND,
    new Set(tests),
    runs,
  );
}

/** Removes the tests that failed from `open`. */
async function plantIn(
  places: readonly UnchangedPlace[],
  max: number,
  open: Set<string>,
  runs: VariantRuns,
): Promise<Failures> {
  const planted: (readonly FailedTest[])[] = [];
  for (const { file, place } of places) {
    if (open.size === 0 || planted.length === max || runs.isOutOfTime) break;
    const fault = faultAt(file, place);
    if (fault === null) continue;
    const seen = await plantInFile(file, fault, runs);
    if (seen === null) break;
    planted.push(seen.failures);
    for (const failure of seen.failures) if (runs.isEvidence(failure)) open.delete(failure.test);
  }
  return planted;
}

interface UnchangedPlace {
  readonly file: ChangedFile;
  readonly place: FaultyLine;
}

/** Places in unchanged lines: those of the changed functions, and some in every other function. */
function unchangedPlaces(file: ChangedFile): Record<'around' | 'elsewhere', UnchangedPlace[]> {
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
    ).map(place => ({ file, place }));
  return {
    around: within(lines.filter(isTouched)),
    elsewhere: lines
      .filter(each => !isTouched(each))
      .flatMap(each =>
        within([each])
          .flatMap(({ place }) => eachEdit(place).map(one => ({ file, place: one })))
          .slice(0, MAX_PER_FUNCTION),
      ),
  };
}
