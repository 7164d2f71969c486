/**
 * Defines the outcomes of the four built-in verdicts. These functions have no side effects. Dure limits the verdict
 * before it asks for the outcome, and limits the outcome afterwards.
 */
import { definePlugin, type VerdictHandler } from 'dure';

const verdicts: readonly VerdictHandler[] = [
  { verdict: 'PASS', when: 'the result is ready to be merged', outcome: () => ({ next: 'ready' }) },
  {
    verdict: 'MINOR_FAIL',
    when: 'only a few small fixes are needed',
    outcome: () => ({ next: 'rework', minor: true }),
  },
  { verdict: 'FAIL', when: 'the change has to be built again', outcome: () => ({ next: 'rework' }) },
  {
    verdict: 'NEEDS_HUMAN',
    when: 'the result depends on a decision that only a person can make',
    outcome: ({ reason }) => ({ next: 'ask', question: reason }),
  },
];

export default async () => definePlugin({ name: 'verdicts', verdicts });
