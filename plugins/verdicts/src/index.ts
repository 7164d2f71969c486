/** What the Gatekeeper's four words lead to. Pure: limits and ceilings are applied before and after. */
import { definePlugin, type VerdictHandler } from 'dure';

const verdicts: readonly VerdictHandler[] = [
  { verdict: 'PASS', outcome: () => ({ next: 'ready' }) },
  { verdict: 'MINOR_FAIL', outcome: () => ({ next: 'fix' }) },
  { verdict: 'FAIL', outcome: () => ({ next: 'build' }) },
  { verdict: 'NEEDS_HUMAN', outcome: ({ reason }) => ({ next: 'ask', question: reason }) },
];

export default async () => definePlugin({ name: 'verdicts', verdicts });
