/**
 * The story of `dure demo`: a question to the user, a build with a real mistake, tests that find it, a small fix, a
 * test that proves nothing and is sent back, and a pass. Only the output of the agents is scripted; the test results
 * are real.
 */
import type { Cassette, Move } from '../../../formats/cassette.ts';
import {
  hollowTests,
  indexModule,
  lettersQuestion,
  readmeFile,
  refinedBriefing,
  slugifyAtFirst,
  slugifyFixed,
  testCommand,
  testsFixed,
  writeLetters,
} from './demo-files.ts';

export { demoBriefing, demoProject } from './demo-files.ts';

const CUT =
  'A title that is cut at 60 characters can end with a hyphen: slugify must remove it after the cut.';

const flag = (path: string): Move => ({ write: path, text: '{{now}}\n' });

const refine: Move[] = [
  { write: 'briefing/refined.md', text: refinedBriefing },
  {
    json: 'briefing/clarifications.json',
    value: [
      { about: 'letters', decided_by: 'person', as: '{{answer}}' },
      { about: 'a title without letters', filled_in: 'untitled' },
      { about: 'anything but a string', filled_in: 'TypeError' },
    ],
  },
  {
    write: 'briefing/log.md',
    text: '# Log of the Refiner (rehearsed)\n\n- Asked what "appropriately" means: links cannot be changed later.\n- Filled in: the name for empty titles, the error for non-string input.\n',
  },
  { spend: 0.004 },
  { wait: 200 },
  { say: 'The briefing is clear now.' },
  flag('briefing/done.flag'),
];

const build = (slugify: string, did: string): Move[] => [
  { write: 'builder/output/src/slugify.js', text: slugify },
  { sh: writeLetters },
  { write: 'builder/output/src/index.js', text: indexModule },
  { write: 'builder/output/README.md', text: readmeFile },
  {
    write: 'builder/log.md',
    text: `# Log of the Builder (rehearsed)\n\n- The decision on letters is a separate constant in src/letters.js, so that it is easy to find.\n- Accents are removed by Unicode decomposition: no table, no dependency.\n- ${did}\n`,
  },
  { wait: 400 },
  flag('builder/done.flag'),
];

const judge = (verdict: Readonly<Record<string, unknown>>, review: string): Move[] => [
  { tool: 'Bash', input: { command: 'git diff --stat' } },
  { say: review },
  { write: 'gatekeeper/review.md', text: `# Review (rehearsed)\n\n${review}\n` },
  {
    write: 'gatekeeper/log.md',
    text: '# Log of the Gatekeeper (rehearsed)\n\n- Read the briefing, the change and the results.\n',
  },
  { json: 'gatekeeper/verdict.json', value: { ...verdict, timestamp: '{{now}}' } },
  { spend: 0.021 },
  { wait: 200 },
  flag('gatekeeper/done.flag'),
];

const analyse = (value: Readonly<Record<string, unknown>>, summary: string): Move[] => [
  { tool: 'Read', input: { file_path: 'verifier/test-output.json' } },
  { say: summary },
  { json: 'verifier/results.json', value: { ...value, summary: summary } },
  {
    write: 'verifier/log.md',
    text: `# Log of the Verifier (rehearsed)\n\n- Attacked: empty titles, other scripts, combining marks, the limit of 60 characters.\n- ${summary}\n`,
  },
  { spend: 0.006 },
  { wait: 100 },
  flag('verifier/done.flag'),
];

/**
 * Why the tests do not claim the criteria that come from feedback, keyed by the ids that these criteria are likely to
 * get.
 */
const comments = Object.fromEntries(
  [1, 2, 3].flatMap(round =>
    [1, 2, 3, 4, 5].map(n => [
      `FB-${round}.${n}`,
      'a rehearsal cannot follow feedback that was not known when it was recorded',
    ]),
  ),
);

const writeTests = (text: string, say: string): Move[] => [
  { say },
  { write: 'verifier/tests/test/slugify.test.mjs', text },
  {
    json: 'verifier/test-config.json',
    value: {
      test_framework: 'custom',
      test_command: testCommand,
      test_directory: '.',
      timeout_ms: 60_000,
      coverage: false,
      not_claimed: comments,
      created_at: '{{now}}',
    },
  },
  { spend: 0.013 },
  { wait: 200 },
  flag('verifier/tests-ready.flag'),
];

export const demoCassette: Cassette = {
  title: 'slugify for a small blog',
  parts: {
    refiner: [
      [
        { tool: 'Read', input: { file_path: 'briefing/raw.md' } },
        { spend: 0.003 },
        { wait: 200 },
        {
          say: '"Treat letters appropriately" could mean two things, and links cannot be changed later. I am asking.',
        },
        { ask: lettersQuestion },
        ...refine,
      ],
      refine,
    ],
    builder: [
      [
        { say: 'I am adding src/slugify.js and exporting it.' },
        { tool: 'Read', input: { file_path: 'briefing/refined.md' } },
        { spend: 0.082 },
        ...build(slugifyAtFirst, 'The length limit truncates the joined words.'),
      ],
      [
        { say: 'I am rewriting slugify to fix everything found so far.' },
        { spend: 0.047 },
        ...build(
          slugifyFixed,
          'Built again; a rehearsal cannot follow feedback that was not known when it was recorded.',
        ),
      ],
    ],
    'builder:fix': [
      [
        { say: 'The cut can leave a hyphen at the end. I strip it.' },
        { write: 'builder/output/src/slugify.js', text: slugifyFixed },
        {
          write: 'builder/log.md',
          text: '# Log of the Builder (rehearsed)\n\n- Fixed: no hyphen is left where a title is cut.\n',
        },
        { spend: 0.019 },
        { wait: 300 },
        flag('builder/done.flag'),
      ],
    ],
    'verifier:generate': [
      writeTests(hollowTests, 'I am writing twelve tests from the refined briefing, mostly for edge cases.'),
      writeTests(hollowTests, 'The tests already cover the fix, so I am keeping all twelve.'),
      writeTests(
        testsFixed,
        'AC-5 passed without slugify, because calling a missing function is a TypeError too. Now it checks the message.',
      ),
    ],
    'verifier:analyse': [
      analyse(
        { total: 12, passed: 11, failed: 1, failures: [CUT] },
        'One of twelve tests fails: a cut at 60 characters leaves a hyphen.',
      ),
      analyse({ total: 12, passed: 12, failed: 0, failures: [] }, 'All twelve tests pass.'),
    ],
    gatekeeper: [
      judge(
        {
          verdict: 'MINOR_FAIL',
          reason: 'One of twelve tests fails; the rest of the briefing is met.',
          issues: [CUT],
        },
        `Nearly there. ${CUT}`,
      ),
      judge(
        { verdict: 'PASS', reason: 'All tests pass, and the change does what the briefing asks.' },
        'The change does what the briefing asks and no more, and all of its tests pass.',
      ),
    ],
  },
};
