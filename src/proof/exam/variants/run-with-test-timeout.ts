/**
 * Runs tests with a shorter time limit (per test in node and Python, per package in Go), except on the result itself,
 * where they are known to end. Without the change, a test may wait for something that never happens.
 */
import { withTestTimeout } from '../../rewrite-test-command.ts';
import { NOTHING_REPORTED, type RunWith } from './run-variants.ts';

export interface TestTimeout {
  /** The sealed command. */
  readonly command: string;
  readonly limit_ms: number;
}

export function limitedRunner(run: RunWith, { command: sealed, limit_ms }: TestTimeout): RunWith {
  /** Whether the test runner accepts the option; null until a test run has shown whether it does. */
  let isAccepted: boolean | null = null;
  return async (variant, signal, command = sealed) => {
    const isResult = variant.of === 'head' && variant.edits.size === 0 && !variant.tests;
    const limited = withTestTimeout(command, Math.ceil(limit_ms));
    if (isResult || isAccepted === false || limited === command) return run(variant, signal, command);
    const cases = await run(variant, signal, limited);
    if (isAccepted !== null || cases.problem !== NOTHING_REPORTED) {
      isAccepted ??= true;
      return cases;
    }
    // An old version of node may not know the option, and Python may not be installed under the name that was used.
    const unlimited = await run(variant, signal, command);
    if (unlimited.problem !== NOTHING_REPORTED) isAccepted = false;
    return unlimited;
  };
}
