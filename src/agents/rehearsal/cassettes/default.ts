/** A short successful run for any project: it writes a note, three tests of the note pass, and the verdict is PASS. */
import type { Cassette, Move } from '../../../formats/cassette.ts';

const NOTE = `# Rehearsal

{{run}} was a rehearsal of Dure, written {{now}}: no model was used.
It shows how a briefing becomes a merge. Nothing else was changed; reject the pack, or delete this file.
`;

const TESTS = `import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

const note = await readFile(new URL('REHEARSAL.md', import.meta.url), 'utf8');

test('the note has a title', () => assert.match(note, /^# Rehearsal$/m));
test('the note names the run', () => assert.match(note, /run-\\d{8}-\\d{6}/));
test('the note says that no model was used', () => assert.match(note, /no model was used/));
`;

const flag = (path: string): Move => ({ write: path, text: '{{now}}\n' });
const log = (path: string, did: string): Move => ({ write: path, text: `# Log\n\nRehearsed: ${did}\n` });

const generate: Move[] = [
  { say: 'I am writing three tests for the note.' },
  { write: 'verifier/tests/rehearsal.test.mjs', text: TESTS },
  {
    json: 'verifier/test-config.json',
    value: {
      test_framework: 'custom',
      // The test command may run in a subfolder; the note is in the root of the repository.
      test_command:
        'cd "$(git rev-parse --show-toplevel)" && node --test --test-reporter=tap rehearsal.test.mjs',
      test_directory: '.',
      timeout_ms: 60_000,
      coverage: false,
      created_at: '{{now}}',
    },
  },
  { wait: 200 },
];

const analyse: Move[] = [
  { say: 'I am reading what happened when Dure ran the tests.' },
  { sh: 'cat verifier/test-output.json' },
  {
    json: 'verifier/results.json',
    value: { summary: 'Three tests for the note.', failures: [], edge_cases: [] },
  },
  log('verifier/log.md', 'wrote three tests for the note and read their results.'),
  { wait: 200 },
  flag('verifier/done.flag'),
];

export const defaultCassette: Cassette = {
  title: 'a note that explains itself',
  parts: {
    refiner: [
      [
        { say: 'I am using the briefing as it is.' },
        {
          sh: "{ printf '# Refined briefing (rehearsed)\\n\\n'; cat briefing/raw.md; } > briefing/refined.md",
        },
        {
          json: 'briefing/clarifications.json',
          value: ['A rehearsal understands nothing; it continues with the briefing as written.'],
        },
        log('briefing/log.md', 'copied the briefing.'),
        { wait: 200 },
        flag('briefing/done.flag'),
      ],
    ],
    builder: [
      [
        { say: 'I am writing a note instead of what the briefing asks for.' },
        { write: 'builder/output/REHEARSAL.md', text: NOTE },
        log('builder/log.md', 'wrote REHEARSAL.md and nothing else.'),
        { wait: 200 },
        flag('builder/done.flag'),
      ],
    ],
    'verifier:generate': [[...generate, flag('verifier/tests-ready.flag')]],
    'verifier:analyse': [analyse],
    verifier: [
      [
        ...generate,
        {
          sh: 'd=$(mktemp -d) && cp builder/output/REHEARSAL.md verifier/tests/rehearsal.test.mjs "$d" && node --test --test-reporter=tap "$d/rehearsal.test.mjs"; rm -rf "$d"',
        },
        flag('verifier/tests-ready.flag'),
        {
          json: 'verifier/results.json',
          value: { summary: 'Three tests for the note.', failures: [] },
        },
        log('verifier/log.md', 'wrote and ran three tests for the note.'),
        flag('verifier/done.flag'),
      ],
    ],
    gatekeeper: [
      [
        { say: 'The note is there and its tests passed.' },
        {
          write: 'gatekeeper/review.md',
          text: '# Review\n\nA rehearsed review of a rehearsed change: the note explains itself.\n',
        },
        {
          json: 'gatekeeper/verdict.json',
          value: { verdict: 'PASS', reason: 'The rehearsed note passed its tests.', timestamp: '{{now}}' },
        },
        log('gatekeeper/log.md', 'gave the verdict PASS.'),
        { wait: 200 },
        flag('gatekeeper/done.flag'),
      ],
    ],
    '*': [
      [
        { say: 'The rehearsal has no script for the role {{role}}; it only marks the step as done.' },
        flag('{{role}}/done.flag'),
      ],
    ],
  },
};
