/** What the Gatekeeper's four words lead to. Pure: limits and ceilings are applied before and after. */
import { definePlugin, type VerdictHandler } from 'dure';

const verdicts: readonly VerdictHandler[] = [
  { verdict: 'PASS', outcome: () => ({ then: 'ready' }) },
  { verdict: 'MINOR_FAIL', outcome: () => ({ then: 'fix' }) },
  { verdict: 'FAIL', outcome: () => ({ then: 'build' }) },
  { verdict: 'NEEDS_HUMAN', outcome: ({ reason }) => ({ then: 'ask', question: reason }) },
];

export default async () => definePlugin({ name: 'verdicts', verdicts });
