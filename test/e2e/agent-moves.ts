/** The moves of agents that succeed; scenarios replace some of them. */
import type { Cassette, Move } from '../../src/formats/cassette.ts';

export const flag = (path: string): Move => ({ write: path, text: '{{now}}\n' });

export const refines: Move[] = [
  { write: 'briefing/refined.md', text: '# Refined\n\nWrite greeting.txt.\n' },
  { json: 'briefing/clarifications.json', value: [] },
  { write: 'briefing/log.md', text: 'Nothing to add.\n' },
  { spend: 0.01 },
  flag('briefing/done.flag'),
];

export const builds = (text: string, file = 'greeting.txt'): Move[] => [
  { write: `builder/output/${file}`, text },
  { write: 'builder/log.md', text: 'Wrote it.\n' },
  { spend: 0.02 },
  flag('builder/done.flag'),
];

/** Ten tests in TAP; one reads greeting.txt and nine do nothing. */
const TAP = `echo TAP version 13; echo 1..10; i=1; while [ $i -lt 10 ]; do echo "ok $i - nothing $i"; i=$((i+1)); done
if grep -q hello builder/output/greeting.txt; then echo "ok 10 - greets"; else echo "not ok 10 - greets"; exit 1; fi
`;

export const config = (test_command: string, more: Record<string, unknown> = {}): Move => ({
  json: 'verifier/test-config.json',
  value: {
    test_framework: 'custom',
    test_command,
    test_directory: 'verifier/tests',
    timeout_ms: 30_000,
    coverage: false,
    ...more,
  },
});

export const generates: Move[] = [
  { write: 'verifier/tests/greets.sh', text: TAP },
  config('sh verifier/tests/greets.sh'),
  flag('verifier/tests-ready.flag'),
];

export const analyses: Move[] = [
  { json: 'verifier/results.json', value: { summary: 'read' } },
  { write: 'verifier/log.md', text: 'Read the results.\n' },
  flag('verifier/done.flag'),
];

export const rules = (verdict: string, more: Record<string, unknown> = {}): Move[] => [
  { write: 'gatekeeper/review.md', text: `# Review\n\n${verdict}.\n` },
  { write: 'gatekeeper/log.md', text: 'Looked.\n' },
  { json: 'gatekeeper/verdict.json', value: { verdict, reason: `It is a ${verdict}`, ...more } },
];

/** Like `rules`, but the verdict is never half written. For tests whose clock is ahead of the times of files. */
export const rulesAtOnce = (verdict: string): Move[] => [
  ...rules(verdict).filter(move => !('json' in move)),
  {
    sh: `echo '${JSON.stringify({ verdict, reason: `It is a ${verdict}` })}' > verdict.new && mv verdict.new gatekeeper/verdict.json`,
  },
];

export const asks = (id: string, by: string, more: Record<string, unknown> = {}): Move => ({
  json: `crp/${id}.json`,
  value: {
    crp_id: id,
    created_by: by,
    type: 'clarification',
    question: 'Which greeting?',
    options: [
      { id: 'A', label: 'hello' },
      { id: 'B', label: 'good day' },
    ],
    recommendation: 'A',
    ...more,
  },
});

export type Parts = Partial<
  Record<'refiner' | 'builder' | 'verifier:generate' | 'verifier:analyse' | 'gatekeeper', Move[][]>
>;

/** A cassette in which every agent succeeds, except for the given parts. */
export const cassette = (parts: Parts = {}): Cassette => ({
  title: 'a scenario',
  parts: {
    refiner: [refines],
    builder: [builds('hello\n')],
    'verifier:generate': [generates],
    'verifier:analyse': [analyses],
    gatekeeper: [rules('PASS')],
    ...parts,
  },
});
