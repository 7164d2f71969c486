/** Runs tests on variants until the time for the exam runs out. */
import type { FailedTest, VariantResult } from '../../../formats/exam/runs-of-unfinished-exam.ts';
import { sha256 } from '../../../formats/text/sha256.ts';
import { timeLimit } from '../../../process/abort-signals-and-timeouts.ts';
import { type Errors, isEvidence, isNoticed } from './failures-as-evidence.ts';
import { variantResult } from './judge-variant-run.ts';
import { type RunVariant, type Variant, withoutTypeChecks } from './variant.ts';

export interface VariantRuns {
  /** Null if the time ran out. */
  resultOf(variant: Variant): Promise<VariantResult | null>;
  /** Whether a test noticed what was broken; see failures-as-evidence.ts. */
  isNoticed(failure: FailedTest): boolean;
  isEvidence(failure: FailedTest): boolean;
  /** Maximum number of concurrent test runs. */
  readonly jobs: number;
  readonly count: number;
  /** Whether a test run was refused or ended because the time ran out. */
  readonly isOutOfTime: boolean;
}

export interface VariantRunsOptions {
  readonly runVariant: RunVariant;
  /** Ids of the tests that pass on the result. */
  readonly onHead: ReadonlySet<string>;
  /** Results by the hash of the variant, including those of an earlier exam; new ones are added. */
  readonly known: Map<string, VariantResult>;
  readonly budget_ms: number;
  /** How long the tests take on the result; null if that is not known. */
  readonly run_ms: number | null;
  readonly errors: Errors;
  readonly jobs: number;
  readonly signal: AbortSignal;
}

/**
 * A test run may take this many times as long as the slowest one so far, because a fault may cause an infinite loop. If
 * none has ended yet, one may take the whole budget: it is unknown whether the run is slow or the budget too short.
 */
const SLOWDOWN_FACTOR = 3;
const MIN_LIMIT_MS = 10_000;

/** If a test run hangs, a test noticed the fault, but it is unknown which one. */
const TIMED_OUT: VariantResult = { failures: [], result: 'red' };

/** The key of a variant, so that no variant is run twice. */
const keyOf = ({ of, edits }: Variant): string => {
  const files = [...edits].map(([path, bytes]) => [path, bytes?.toString('base64')]).sort();
  return sha256(JSON.stringify([of, files]));
};

export function runsWithin(of: VariantRunsOptions): VariantRuns {
  const { runVariant, onHead, known, budget_ms, run_ms, errors, jobs, signal } = of;
  const started = performance.now();
  const remainingMs = () => budget_ms - (performance.now() - started);
  let slowest = run_ms;
  const running = new Map<string, Promise<VariantResult | null>>();
  const runs = {
    jobs,
    count: known.size,
    isOutOfTime: false,
    isNoticed: (failure: FailedTest) => isNoticed(failure, errors),
    isEvidence: (failure: FailedTest) => isEvidence(failure, errors),
    async resultOf(variant: Variant): Promise<VariantResult | null> {
      const key = keyOf(variant);
      const before = known.get(key);
      if (before) return before;
      const run = running.get(key) ?? runs.run(variant);
      running.set(key, run);
      const seen = await run;
      if (seen) known.set(key, seen);
      return seen;
    },
    async run(variant: Variant): Promise<VariantResult | null> {
      signal.throwIfAborted();
      const remaining = remainingMs();
      if (remaining <= 0) {
        runs.isOutOfTime = true;
        return null;
      }
      const maxMs = slowest === null ? remaining : SLOWDOWN_FACTOR * slowest + MIN_LIMIT_MS;
      const limit = timeLimit(Math.min(remaining, maxMs), signal);
      const from = performance.now();
      try {
        runs.count += 1;
        const cases = await runVariant(withoutTypeChecks(variant), limit.signal);
        slowest = Math.max(slowest ?? 0, performance.now() - from);
        return variantResult(onHead, cases);
      } catch (error) {
        signal.throwIfAborted();
        if (!limit.signal.aborted) throw error;
        if (remaining > maxMs) return TIMED_OUT;
        runs.isOutOfTime = true;
        return null;
      } finally {
        limit.release();
      }
    },
  };
  return runs;
}
