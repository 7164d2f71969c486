/** A plugin whose roles take a run from the briefing to a verdict without built-in roles. */

import type { Cassette, Move } from '../../src/formats/cassette.ts';
import { type AgentRole, definePlugin, type RoleStep } from '../../src/index.ts';
import { flag } from '../e2e/agent-moves.ts';

const role = (name: string, step: Omit<RoleStep, 'outputs'> & Partial<RoleStep>): AgentRole => ({
  name,
  steps: [{ outputs: [], ...step }],
  prompt: () => `You are the ${name}.`,
});

export const ownRoles = definePlugin({
  name: 'workshop',
  roles: [
    role('author', { name: 'write', yields: 'tree' }),
    role('prover', { name: 'probe', yields: 'tests' }),
    role('referee', { name: 'rule', yields: 'verdict' }),
  ],
  pipelines: [
    { name: 'workshop', about: 'author, prover, referee', steps: ['write', 'probe', 'execute', 'rule'] },
    { name: 'untested', about: 'without tests', steps: ['write', 'rule'] },
    { name: 'unjudged', about: 'without a verdict', steps: ['write', 'probe', 'execute'] },
  ],
});

const TAP = `echo TAP version 13; echo 1..1
if grep -q hello greeting.txt; then echo "ok 1 - greets"; else echo "not ok 1 - greets"; exit 1; fi
`;

export const authors = (text: string): Move[] => [
  { write: 'builder/output/greeting.txt', text },
  { write: 'author/log.md', text: 'Wrote it.\n' },
  flag('author/done.flag'),
];

export const probes: Move[] = [
  { write: 'prover/tests/greets.sh', text: TAP },
  {
    json: 'prover/test-config.json',
    value: { test_framework: 'custom', test_command: 'sh greets.sh', timeout_ms: 30_000 },
  },
  flag('prover/done.flag'),
];

export const referees = (verdict: string, more: Record<string, unknown> = {}): Move[] => [
  { write: 'referee/review.md', text: `# Review\n\n${verdict}.\n` },
  { json: 'referee/verdict.json', value: { verdict, reason: `It is a ${verdict}`, ...more } },
];

export const ownCassette = (parts: Cassette['parts'] = {}): Cassette => ({
  title: 'roles of a plugin',
  parts: { author: [authors('hello\n')], prover: [probes], referee: [referees('PASS')], ...parts },
});
