/**
 * Plants faults in the unchanged lines of changed files. A test may check behaviour that the change keeps, perhaps
 * under a new name: no fault in a changed line makes such a test fail.
 */
import type { FailedTest } from '../../../formats/exam/runs-of-unfinished-exam.ts';
import type { ChangedFile } from '../changed-code.ts';
import { declaresOtherNames, wordsIn } from '../syntax/identifiers.ts';
import { isIn, type Lines, lineFinder, linesOf, textIn } from '../syntax/text-lines.ts';
import type { VariantRuns } from '../variants/budgeted-variant-runs.ts';
import { functionsIn } from './empty-declarations.ts';
import { sampledLines } from './find-faults.ts';
import { eachEdit, inTurn, type Place, type Planted, plantFaults, spread } from './plant-faults.ts';

const MAX_AROUND = 6;
const MAX_NAMED = 20;
const MAX_ELSEWHERE = 20;
const MAX_PER_FUNCTION = 3;

/** For each fault, those of the given tests that fail. A fault in unchanged code shows nothing about any other test. */
type Failures = readonly (readonly FailedTest[])[];

/** Tests of behaviour that the change keeps. */
export interface KeptBehaviour {
  readonly tests: ReadonlySet<string>;
  /** Words in these tests and their criteria. */
  readonly words: ReadonlySet<string>;
}

/**
 * Plants faults until each of the tests has failed: first in the functions that the tests name, starting with the lines
 * that contain rare words of the tests, then in the changed functions, then a few in each of the other functions,
 * starting with those nearest to the changed lines.
 */
export async function plantAround(
  files: readonly ChangedFile[],
  { tests, words }: KeptBehaviour,
  runs: VariantRuns,
): Promise<Failures> {
  if (tests.size === 0) return [];
  const all = files.flatMap(functionsOf);
  const isNamed = ({ name }: FunctionIn) => name !== null && words.has(name);
  const others = all.filter(each => !isNamed(each));
  const near = others.filter(each => each.distance > 0).sort((a, b) => a.distance - b.distance);
  const changed = others.filter(each => each.distance === 0);
  const steps: [readonly Place[], number][] = [
    [inTurn(all.filter(isNamed).map(each => rarestFirst(eachPlace(placesIn([each])), words))), MAX_NAMED],
    [files.flatMap(file => placesIn(changed.filter(each => each.file === file))), MAX_AROUND],
    [inTurn(near.map(each => eachPlace(placesIn([each])).slice(0, MAX_PER_FUNCTION))), MAX_ELSEWHERE],
  ];
  const failures: (readonly FailedTest[])[] = [];
  for (const [places, max] of steps) {
    const open = [...tests].filter(test => !isProven(test, failures, runs));
    failures.push(...(await plantFor(new Set(open), places, max, runs)));
  }
  return failures;
}

/** Plants faults in renamed functions until each of the tests has failed. */
export function plantInRenamed(
  files: readonly ChangedFile[],
  tests: ReadonlySet<string>,
  runs: VariantRuns,
): Promise<Failures> {
  const renamed = files.filter(({ head, base, atoms }) =>
    atoms.some(atom => declaresOtherNames(textIn(base, atom.base), textIn(head, atom.head))),
  );
  const places = renamed.flatMap(file =>
    placesIn(functionsOf(file).filter(({ distance }) => distance === 0)),
  );
  return plantFor(tests, places, MAX_AROUND, runs);
}

async function plantFor(
  tests: ReadonlySet<string>,
  places: readonly Place[],
  max: number,
  runs: VariantRuns,
): Promise<Failures> {
  const failuresIn = (planted: readonly Planted<Place>[]) =>
    planted.map(({ failures }) => failures.filter(({ test }) => tests.has(test)));
  const planted = await plantFaults(places.values(), runs, {
    max,
    isEnough: seen => [...tests].every(test => isProven(test, failuresIn(seen), runs)),
  });
  return failuresIn(planted);
}

const isProven = (test: string, failures: Failures, { isEvidence }: VariantRuns): boolean =>
  failures.flat().some(failure => failure.test === test && isEvidence(failure));

interface FunctionIn {
  readonly file: ChangedFile;
  readonly name: string | null;
  readonly lines: Lines;
  /** Number of lines to the nearest change in the file; 0 if the function itself is changed. */
  readonly distance: number;
}

function functionsOf(file: ChangedFile): FunctionIn[] {
  const { head, atoms, language } = file;
  if (head === null || language.grammar === null) return [];
  const lineOf = lineFinder(head);
  return functionsIn(language.grammar.parser.parse(head), head).map(({ name, from, to }) => {
    const lines = { from: lineOf(from), to: lineOf(to) + 1 };
    return { file, name, lines, distance: Math.min(...atoms.map(({ head }) => distance(lines, head))) };
  });
}

/** A change that only removes lines is as far away as the line that follows it. */
const distance = (of: Lines, { from, to }: Lines): number =>
  Math.max(0, from - of.to + 1, of.from - Math.max(to, from + 1) + 1);

/** Returns places in the unchanged lines of these functions, all in one file, spread over all of the functions. */
function placesIn(functions: readonly FunctionIn[]): Place[] {
  const [first] = functions;
  if (first === undefined) return [];
  const { file } = first;
  const isWanted = (line: number) =>
    !file.atoms.some(({ head }) => isIn(line, head)) && functions.some(({ lines }) => isIn(line, lines));
  return spread(sampledLines(file, isWanted)).map(at => ({ file, at }));
}

/** Sorts the places by the rarest word of the tests in their lines, rarest first; those without any come last. */
function rarestFirst(places: readonly Place[], words: ReadonlySet<string>): Place[] {
  const counts = new Map<string, number>();
  const lines = linesOf(places[0]?.file.head ?? '');
  const named = lines.map(line => [...wordsIn(line)].filter(word => words.has(word)));
  for (const word of named.flat()) counts.set(word, (counts.get(word) ?? 0) + 1);
  const rarest = ({ at }: Place) => Math.min(lines.length, ...named[at.line]!.map(word => counts.get(word)!));
  return [...places].sort((a, b) => rarest(a) - rarest(b));
}

const eachPlace = (places: readonly Place[]): Place[] =>
  places.flatMap(({ file, at }) => eachEdit(at).map(edit => ({ file, at: edit })));
