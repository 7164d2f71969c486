/** What the Gatekeeper's four words lead to. Pure: limits and ceilings have been applied before and after. */
import { definePlugin } from 'dure';

export default async () =>
  definePlugin({
    name: 'verdicts',
    verdicts: [
      { verdict: 'PASS', outcome: () => ({ then: 'ready' }) },
      { verdict: 'MINOR_FAIL', outcome: () => ({ then: 'fix' }) },
      { verdict: 'FAIL', outcome: () => ({ then: 'build' }) },
      { verdict: 'NEEDS_HUMAN', outcome: verdict => ({ then: 'ask', question: verdict.reason }) },
    ],
  });
