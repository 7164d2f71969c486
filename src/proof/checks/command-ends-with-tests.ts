/** Decides whether the last program of a command runs the tests. Pure. */
import { runnerOf } from './known-programs.ts';

const PYTHON = String.raw`^(?:\S+ run )?(?:\S*python[\d.]* -m )?coverage`;

/** `c8 report`, `nyc check-coverage` and the like, without the name of the wrapper. */
const REPORTS = new RegExp(
  `^(?:report|check-coverage)\\b|${PYTHON} (?:combine|erase|html|json|lcov|report|xml)\\b`,
);

const RUNS = new RegExp(`${PYTHON} run\\b`);

/**
 * Whether a command ends with the tests and their coverage, so that nothing else can have failed after the
 * tests. `programs` lists what the command starts; each program runs only if the one before it succeeded.
 */
export function endsWithTests(programs: readonly (readonly string[])[]): boolean {
  const others = programs.filter(words => !REPORTS.test(words.join(' ')));
  const isTests = (words: readonly string[]) => runnerOf(words) !== null || RUNS.test(words.join(' '));
  return others.length === 1 || (others.length > 1 && others.findIndex(isTests) === others.length - 1);
}
