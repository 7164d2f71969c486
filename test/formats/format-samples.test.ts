import { describe, expect, test } from 'vitest';
import { parseFormat } from '../../src/formats/read-and-write-files.ts';
import { arbitraryOf } from '../helpers/arbitrary-of-shape.ts';
import fc from '../helpers/fast-check-seed.ts';
import { FORMATS, formatNamed } from './every-format.ts';

const read = (name: string, value: unknown) => parseFormat(formatNamed(name), JSON.stringify(value));
const problem = (name: string, value: unknown): string => {
  const result = read(name, value);
  return result.is === 'invalid' ? result.problem : `accepted: ${JSON.stringify(value)}`;
};

describe('every format', () => {
  test('has a sample in this test', () => {
    expect(FORMATS.map(format => format.name)).toMatchInlineSnapshot(`
      [
        "*.cassette.json",
        "briefing/clarifications.json",
        "config/builder.json",
        "config/gatekeeper.json",
        "config/global.json",
        "config/refiner.json",
        "config/verifier.json",
        "crp/crp-*.json",
        "decisions/*.json",
        "delivered.json",
        "driver.json",
        "feedback/feedback-*.json",
        "gatekeeper/verdict.json",
        "launches/*.claim.json",
        "launches/*.delay.json",
        "launches/*.exam-runs.json",
        "launches/*.exit.json",
        "launches/*.json",
        "mrp/criteria.json",
        "mrp/evidence.json",
        "mrp/proof.json",
        "origin.json",
        "requests/approve.json",
        "requests/exam.json",
        "requests/extend.json",
        "requests/rebase.json",
        "requests/retry.json",
        "requests/stop.json",
        "state.json",
        "vcr/vcr-*.json",
        "verifier/checks.json",
        "verifier/exam.json",
        "verifier/results.json",
        "verifier/test-cases.json",
        "verifier/test-config.json",
        "verifier/test-output.json",
      ]
    `);
  });

  test.each(FORMATS.map(format => [format.name, format] as const))(
    'a value in the format %s is read back as it was written',
    (_, format) => {
      fc.assert(
        fc.property(arbitraryOf(format.shape), value => {
          const once = parseFormat(format, JSON.stringify(value));
          if (once.is !== 'value') throw new Error(JSON.stringify(once));
          expect(parseFormat(format, JSON.stringify(once.value))).toMatchObject({
            is: 'value',
            value: once.value,
          });
        }),
        { numRuns: 50 },
      );
    },
  );

  test.each(FORMATS.map(format => [format.name, format] as const))(
    '%s refuses invalid JSON, values that are not objects, and unknown keys',
    (_, format) => {
      for (const wrong of ['', '{', 'null', '12', '"text"', '[1]', '{"no_such_key": 1}']) {
        const result = parseFormat(format, wrong);
        // The Verifier's and the Refiner's own notes may have any keys.
        if (/results|clarifications/.test(format.name) && /^[{[]./.test(wrong)) continue;
        expect(result, wrong).toMatchObject({ is: 'invalid', problem: expect.stringMatching(/\S/) });
      }
    },
  );
});

const at = '2024-01-15T14:35:00Z';
const crp = {
  crp_id: 'crp-001',
  created_at: at,
  created_by: 'refiner',
  type: 'clarification',
  question: 'What criteria should rate limiting be applied with?',
  context: "Briefing only specifies 'appropriate rate limiting'",
  options: [
    { id: 'A', label: '60 requests per minute per IP', description: 'Common API default', risk: 'Low' },
    {
      id: 'B',
      label: '100 requests per minute per user',
      description: 'Based on users',
      risk: 'Needs log-in',
    },
  ],
  recommendation: 'A',
  status: 'pending',
};
const vcr = {
  vcr_id: 'vcr-001',
  crp_id: 'crp-001',
  created_at: at,
  decision: 'A',
  rationale: 'Start with simple approach for MVP',
  additional_notes: 'Plan to add per-user limits later',
  applies_to_future: true,
};
const verdicts = [
  { verdict: 'PASS', reason: 'All tests passing, code meets requirements', timestamp: at },
  {
    verdict: 'MINOR_FAIL',
    reason: '2 tests failed, applying targeted fix',
    issues: ['Edge case in rate limiter', 'Missing null check'],
    timestamp: at,
    minor_fix_attempt: 1,
  },
  { verdict: 'FAIL', reason: 'Not implemented', issues: ['a'], suggestions: ['Review'], timestamp: at },
  { verdict: 'NEEDS_HUMAN', reason: 'Security implications', crp_id: 'crp-002', timestamp: at },
];

describe('the samples of the specification', () => {
  test('a question and its answer are accepted unchanged', () => {
    expect(read('crp/crp-*.json', crp)).toMatchObject({ is: 'value', value: crp });
    expect(read('vcr/vcr-*.json', vcr)).toMatchObject({ is: 'value', value: vcr });
  });

  test.each(verdicts)('the verdict $verdict is accepted unchanged', verdict => {
    expect(read('gatekeeper/verdict.json', verdict)).toMatchObject({ is: 'value', value: verdict });
  });

  test("Dure's test result has the specified keys", () => {
    const output = {
      exit_code: 0,
      stdout: '',
      stderr: '',
      duration_ms: 5432,
      executed_at: at,
      coverage: 85,
      test_results: { total: 12, passed: 12, failed: 0, skipped: 0 },
      machine: 'pass',
      command: 'npx vitest run',
      tree: 'a',
      tests_tree: 'b',
    };
    expect(read('verifier/test-output.json', output)).toMatchObject({
      is: 'value',
      value: { ...output, failures: [] },
    });
  });
});

describe('errors name the key that caused them', () => {
  test.each([
    ['crp/crp-*.json', { ...crp, crp_id: '1' }, 'crp_id: expected an id such as crp-001'],
    ['crp/crp-*.json', { ...crp, question: 7 }, 'question: expected string, received number'],
    ['crp/crp-*.json', { ...crp, options: [] }, /^options: Too small/],
    [
      'crp/crp-*.json',
      { ...crp, options: [crp.options[0], crp.options[0]] },
      'options: two options have the same id',
    ],
    [
      'crp/crp-*.json',
      { ...crp, options: [{ id: 'other', label: 'x' }] },
      'options.0.id: OTHER is reserved for free-text answers',
    ],
    [
      'crp/crp-*.json',
      { ...crp, recommendation: 'C' },
      'recommendation: expected the id of an option (A, B)',
    ],
    ['crp/crp-*.json', { ...crp, urgency: 'high' }, 'unknown key urgency'],
    [
      'crp/crp-*.json',
      { ...crp, options: [{ id: 'A', label: 'x', cost: 1 }] },
      /^unknown key options\.0\.cost/,
    ],
    [
      'vcr/vcr-*.json',
      { ...vcr, applies_to_future: 'yes' },
      'applies_to_future: expected boolean, received string',
    ],
    ['vcr/vcr-*.json', { ...vcr, vcr_id: '../x' }, 'vcr_id: expected an id such as vcr-001'],
    ['gatekeeper/verdict.json', { verdict: 'PASS' }, 'reason: missing, expected string'],
    ['gatekeeper/verdict.json', { ...verdicts[0], a: 1, b: 2 }, 'unknown keys a, b'],
    [
      'verifier/test-config.json',
      { test_framework: 'jasmine', test_command: 'x' },
      /^test_framework: .*"vitest"/,
    ],
    [
      'verifier/test-config.json',
      { test_framework: 'custom', test_command: ' ' },
      'test_command: expected a command such as npm ci',
    ],
    [
      'verifier/test-config.json',
      { test_framework: 'custom', test_command: 'x', test_directory: '../../etc' },
      'test_directory: expected a path inside the checkout',
    ],
    ['verifier/results.json', { passed: -1 }, /^passed: Too small/],
    [
      'launches/*.json',
      {
        ...{ launch: 1, run_id: 'run-1', role: 'builder', step: 'build', iteration: 1, backend: 'claude' },
        ...{ stream: 'claude', argv: ['claude'], cwd: '/', prompt: null, resumes: false, session: null },
        ...{ artefacts: [], created_at: at },
      },
      /^variables: missing.*\nenvironment: missing.*\nchecks_environment: missing/,
    ],
    ['requests/extend.json', { asked_at: at, launch: 1, ms: 0 }, /^ms: Too small/],
    ['requests/approve.json', { asked_at: at, tree: 'HEAD' }, 'tree: expected a git object id'],
    ['feedback/feedback-*.json', { asked_at: 'today', tree: 'a'.repeat(40), feedback: '' }, /^asked_at: /],
  ])('%s: %j', (name, value, said) => {
    expect(problem(name, value)).toMatch(said);
  });

  test('the error for a value that matches no alternative lists the alternatives', () => {
    expect(problem('briefing/clarifications.json', 3)).toBe('expected array or object, received number');
  });

  test('several errors are listed one per line', () => {
    expect(
      problem('requests/extend.json', { asked_at: at, launch: 1, ms: 'x', why: 1 }).split('\n'),
    ).toHaveLength(2);
  });
});

describe('missing keys get their defaults', () => {
  test('a test-config.json with two keys gets the defaults for the rest', () => {
    expect(
      read('verifier/test-config.json', { test_framework: 'vitest', test_command: 'npx vitest run' }),
    ).toMatchObject({
      value: { test_directory: '.', timeout_ms: 120_000, coverage: false },
    });
  });

  test('by default, a question is pending, and an answer applies only to its run', () => {
    const { status, ...unsaid } = crp;
    expect(read('crp/crp-*.json', unsaid)).toMatchObject({ value: { status: 'pending' } });
    const { rationale, applies_to_future, ...short } = vcr;
    expect(read('vcr/vcr-*.json', short)).toMatchObject({
      value: { rationale: '', applies_to_future: false },
    });
  });
});
