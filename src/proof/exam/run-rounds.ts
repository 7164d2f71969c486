/**
 * Runs the tests several times on the result and on base: a test whose outcome changes proves nothing. Both are tested
 * at the same time: a test may be unstable only under the load that later parts of the exam also cause.
 */
import type { ExamSettings } from '../../formats/exam/exam-output.ts';
import type { TestCases } from '../../formats/test-cases.ts';
import { mapParallel } from '../../process/map-parallel.ts';
import { type Rounds, roundsFor } from './test-round-count.ts';
import { ENDED_EARLY } from './variants/run-variants.ts';
import type { RunTests, Variant } from './variants/variant.ts';

export interface RoundsOf {
  readonly run: RunTests;
  readonly settings: ExamSettings;
  /** Duration in milliseconds of the longest test run so far, including the proof. */
  longest(): number;
  readonly jobs: number;
  readonly echo?: (chunk: Buffer) => void;
}

/** The results of the rounds so far; each new round is added. */
export type CompletedRounds = Record<Variant['of'], TestCases[]>;

const UNCHANGED: Variant['edits'] = new Map();

/** Returns why the tests on base show nothing; null if they show something. */
export async function runRounds(of: RoundsOf, seen: CompletedRounds): Promise<string | null> {
  const add = async (side: Variant['of']) => {
    of.echo?.(Buffer.from(`\nThe tests on ${side === 'head' ? 'the result' : 'the base commit'}:\n`));
    seen[side].push(await of.run({ of: side, edits: UNCHANGED }));
  };
  const addRound = (round: number, rounds: Rounds) => {
    // The proof was the first round on the result.
    const reached = { base: round, head: round + 1 };
    const isOpen = (side: Variant['of']) =>
      reached[side] <= rounds[side] && seen[side].length < reached[side];
    return mapParallel(of.jobs, (['base', 'head'] as const).filter(isOpen), add);
  };
  await addRound(1, roundsFor(of.longest(), of.settings));
  const { cases, problem } = seen.base[0]!;
  // If the tests themselves ended the command early, they count as not reported.
  const isEarly = problem === ENDED_EARLY && seen.head[0]!.cases.length > 0;
  if (cases.length === 0 && !isEarly) {
    // If no test ran on base, the round on the result that ran at the same time shows nothing.
    seen.head.splice(1);
    return `on base: ${problem ?? 'no test was reported'}`;
  }
  // The machine may be busier than when the proof ran.
  const rounds = roundsFor(of.longest(), of.settings);
  for (let round = 2; round <= rounds.base; round += 1) await addRound(round, rounds);
  return null;
}
