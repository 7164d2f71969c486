/**
 * Runs the tests several times on the result and on base: a test whose outcome changes proves nothing. After the first
 * round both run at the same time, so that such a test is noticed as it would be during the rest of the exam.
 */
import type { ExamSettings } from '../../formats/exam/exam-output.ts';
import type { TestCases } from '../../formats/test-cases.ts';
import { mapParallel } from '../../process/map-parallel.ts';
import { roundsFor } from './test-round-count.ts';
import type { RunVariant, Variant } from './variants/variant.ts';

export interface RoundsOf {
  readonly run: RunVariant;
  readonly settings: ExamSettings;
  /** How long the tests take on the result. */
  readonly suite_ms: number;
  readonly jobs: number;
  readonly signal: AbortSignal;
  readonly echo?: (chunk: Buffer) => void;
}

/** The results of the rounds so far; more are added. */
export type CompletedRounds = Record<Variant['of'], TestCases[]>;

const UNCHANGED: Variant['edits'] = new Map();

/** Returns why the tests on base show nothing; null if they show something. */
export async function runRounds(of: RoundsOf, seen: CompletedRounds): Promise<string | null> {
  const add = async (side: Variant['of']) => {
    of.echo?.(Buffer.from(`\nThe tests on ${side === 'head' ? 'the result' : 'the base commit'}:\n`));
    seen[side].push(await of.run({ of: side, edits: UNCHANGED }, of.signal));
  };
  const started = performance.now();
  if (seen.base.length === 0) await add('base');
  const { cases, problem } = seen.base[0]!;
  if (cases.length === 0) return `on base: ${problem ?? 'no test was reported'}`;
  // The machine may be busier than when the proof ran.
  const rounds = roundsFor(Math.max(of.suite_ms, performance.now() - started), of.settings);
  for (let round = 2; round <= rounds.base; round += 1) {
    const sides = (['head', 'base'] as const).filter(
      side => round <= rounds[side] && seen[side].length < round,
    );
    await mapParallel(of.jobs, sides, add);
  }
  return null;
}
