/**
 * Runs tests with a time limit for each, except on the result itself, where they are known to end. Without the change, a
 * test may wait for something that never happens.
 */
import { withTestTimeout } from '../test-subset-commands.ts';
import { NOTHING_REPORTED, type RunWith } from './run-variants.ts';

export interface TestTimeout {
  /** The sealed command. */
  readonly command: string;
  readonly limit_ms: number;
}

export function limitedRunner(run: RunWith, { command: sealed, limit_ms }: TestTimeout): RunWith {
  /** Null until a run shows it. */
  let isKnown: boolean | null = null;
  return async (variant, signal, command = sealed) => {
    const isResult = variant.of === 'head' && variant.edits.size === 0;
    const limited = withTestTimeout(command, Math.ceil(limit_ms));
    if (isResult || isKnown === false || limited === command) return run(variant, signal, command);
    const cases = await run(variant, signal, limited);
    if (isKnown !== null || cases.problem !== NOTHING_REPORTED) {
      isKnown ??= true;
      return cases;
    }
    // An old version of node may not know the option.
    const unlimited = await run(variant, signal, command);
    isKnown = unlimited.problem === NOTHING_REPORTED;
    return unlimited;
  };
}
