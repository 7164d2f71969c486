/** Each of Dure's own questions, answered with text, with each of its options, and with an amount. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { evolve } from '../../src/core/policy/evolve.ts';
import { NOTHING_CHANGED } from '../../src/core/policy/normalize-failure.ts';
import {
  dureQuestion,
  effectOfAnswer,
  mayTakeRecommendation,
} from '../../src/core/policy/questions/dure-questions-and-answers.ts';
import { withEvidenceAgainst } from '../../src/core/policy/verdict/evidence-against-result.ts';
import { newRunKey } from '../../src/core/run/record/hmac-key.ts';
import { type AnswerRequest, writeAnswer } from '../../src/core/run/requests/write-answer.ts';
import type { Crp } from '../../src/formats/crp-and-vcr.ts';
import { runFiles } from '../../src/formats/layout.ts';
import {
  type AnswerEffect,
  type AskReason,
  askReason,
} from '../../src/formats/question-reasons-and-effects.ts';
import type { RunState } from '../../src/formats/state.ts';
import { packageRoot } from '../../src/process/package-paths-and-version.ts';
import { NOW, sampleState } from '../helpers/sample-values.ts';

const { id: key } = await newRunKey(packageRoot);

const hash = 'a'.repeat(40);
const sealed = { commit: hash, tree: hash };

/** The step at which each question is asked here, after something was built. */
const AT: Record<AskReason, string> = {
  failure: 'gate',
  timeout: 'gate',
  setup: 'execute',
  tests: 'execute',
  repeated: 'gate',
  exhausted: 'gate',
  verdict: 'gate',
  unproven: 'gate',
  budget: 'gate',
  pack: 'gate',
  limit: 'gate',
  disk: 'gate',
  silence: 'gate',
};
const OFFERED: Record<AskReason, Record<string, AnswerEffect>> = {
  failure: { retry: 'retry', tests: 'tests', rebuild: 'again', accept: 'accept', stop: 'stop' },
  timeout: { retry: 'retry', tests: 'tests', rebuild: 'again', accept: 'accept', stop: 'stop' },
  setup: { setup: 'setup', rebuild: 'again', accept: 'accept', stop: 'stop' },
  tests: { tests: 'tests', rebuild: 'again', setup: 'setup', accept: 'accept', stop: 'stop' },
  repeated: { rebuild: 'again', tests: 'tests', setup: 'setup', accept: 'accept', stop: 'stop' },
  exhausted: { again: 'again', tests: 'tests', accept: 'accept', stop: 'stop' },
  verdict: { again: 'again', tests: 'tests', accept: 'accept', stop: 'stop' },
  unproven: { accept: 'accept', again: 'again', tests: 'tests', stop: 'stop' },
  budget: { raise: 'raise', stop: 'stop' },
  pack: { retry: 'pack', stop: 'stop' },
  limit: { 'raise-limit': 'raise', accept: 'accept', stop: 'stop' },
  disk: { check: 'retry', 'raise-limit': 'raise', accept: 'accept', stop: 'stop' },
  silence: {
    retry: 'retry',
    'raise-limit': 'raise',
    tests: 'tests',
    rebuild: 'again',
    accept: 'accept',
    stop: 'stop',
  },
};
const WORDS: Record<AskReason, AnswerEffect | null> = {
  failure: 'retry',
  timeout: 'retry',
  setup: 'setup',
  tests: 'tests',
  repeated: 'again',
  exhausted: 'again',
  verdict: 'again',
  unproven: null,
  budget: null,
  pack: 'pack',
  limit: null,
  disk: null,
  silence: 'retry',
};

function asked(why: AskReason): { state: RunState; crp: Crp } {
  const at = '2026-01-31T14:23:00.000Z';
  const before: RunState = { ...sampleState(), key, step: AT[why], sealed: { build: sealed }, budget_usd: 5 };
  const crp = dureQuestion(before, 'crp-001', why, 'It happened.', at);
  const event = { at, type: 'crp.created', crp_id: 'crp-001', agent: 'dure', hash: 'h' } as const;
  return { state: evolve(before, { ...event, seen_as: 'crp-001', why, question: crp.question, crp }), crp };
}

/** Writes an answer and returns its effect and its file. */
async function answered(why: AskReason, answer: AnswerRequest) {
  const dir = await mkdtemp(join(tmpdir(), 'dure-test-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const files = runFiles(dir);
  const { state, crp } = asked(why);
  const refused = (error: { code: string }) => ({ refused: error.code });
  const vcr = await writeAnswer(files, state, crp, answer).catch(refused);
  if ('refused' in vcr) return { ...vcr, left: await readdir(files.vcrs).catch(() => []) };
  return { vcr, ruling: effectOfAnswer(state, vcr) };
}

describe.each(askReason.options)('the question %s', why => {
  const { crp } = asked(why);
  const ids = Object.keys(OFFERED[why]);

  test('offers its options, and recommends one unless only the user can choose', () => {
    expect(crp.options.map(({ id }) => id)).toEqual(ids);
    expect(crp.recommendation === undefined).toBe(['budget', 'unproven', 'limit', 'disk'].includes(why));
    expect(crp.recommendation).not.toBe('stop');
  });

  test.each(ids)('accepts the option %s', async id => {
    const { ruling } = await answered(why, { decision: id, rationale: 'because' });
    expect(ruling).toEqual({ effect: OFFERED[why][id] });
  });

  test.each(crp.options)('accepts the option $id by its label', async ({ id, label }) => {
    expect(await answered(why, { decision: label })).toMatchObject({ vcr: { decision: id } });
  });

  test('treats a text answer as the recommended option, never as an amount of money', async () => {
    for (const answer of [{ rationale: 'do it well' }, { decision: 'OTHER', rationale: 'do it well' }]) {
      const given = await answered(why, answer);
      if (WORDS[why] === null) expect(given).toEqual({ refused: 'E_WORDS_ALONE', left: [] });
      else {
        expect(given).toMatchObject({ ruling: { effect: WORDS[why] }, vcr: { decision: 'OTHER' } });
        expect(OFFERED[why][crp.recommendation!]).toBe(WORDS[why]);
      }
    }
  });

  test('accepts an amount in several forms if the question is about money, and rejects it otherwise', async () => {
    const spellings: AnswerRequest[] = [
      ...[{ decision: '20' }, { decision: '$20' }, { decision: 'raise 20' }, { decision: 'Raise $20.00' }],
      ...[{ decision: 'raise', amount_usd: 20 }, { amount_usd: 20 }],
    ];
    for (const answer of spellings) {
      const given = await answered(why, answer);
      if (why === 'budget') {
        expect(given.ruling).toEqual({ effect: 'raise', amount_usd: 20 });
        expect(given.vcr).toMatchObject({ decision: 'raise', amount_usd: 20 });
      } else expect(given).toMatchObject({ refused: expect.stringMatching(/OPTION_UNKNOWN|AMOUNT_UNASKED/) });
    }
    for (const decision of ['0', '-5', '$', '1e9', 'raise lots', '20 dollars'])
      expect(await answered(why, { decision })).toEqual({ refused: 'E_OPTION_UNKNOWN', left: [] });
    expect(await answered(why, { decision: 'stop', amount_usd: 5 })).toMatchObject({ left: [] });
  });
});

test('an invalid answer has no effect, but a later valid one does', async () => {
  const { state } = asked('budget');
  const words = { decision: 'OTHER', rationale: 'as much as you like' };
  expect(effectOfAnswer(state, words)).toBeNull();
  expect(effectOfAnswer(state, { decision: '$7' })).toEqual({ effect: 'raise', amount_usd: 7 });
});

test('an answer that names an option that was not offered counts as a text answer', () => {
  const { state } = asked('failure');
  const unbuilt = { ...state, sealed: {} };
  expect(effectOfAnswer(unbuilt, { decision: 'accept' })).toEqual({ effect: 'retry' });
  expect(effectOfAnswer(state, { decision: 'accept' })).toEqual({ effect: 'accept' });
});

test('a text answer goes to the Verifier if the Builder found nothing to change', () => {
  const at = { ...asked('failure').state, step: 'build', problem: NOTHING_CHANGED };
  const words = { decision: 'OTHER', rationale: 'the tests are wrong' };
  expect(effectOfAnswer(at, words)).toEqual({ effect: 'tests' });
  expect(dureQuestion(at, 'crp-001', 'failure', '', at.updated_at).recommendation).toBe('tests');
  // If nothing has been built, there is nothing to test.
  expect(effectOfAnswer({ ...at, sealed: {} }, words)).toEqual({ effect: 'retry' });
  expect(effectOfAnswer({ ...at, problem: 'it crashed' }, words)).toEqual({ effect: 'retry' });
});

const counts = { total: 9, passed: 9, failed: 0, skipped: 0 };
const tested: RunState['tests'] = {
  machine: 'pass',
  exit_code: 0,
  ...counts,
  coverage: null,
  tree: hash,
  tests_tree: hash,
};
const regressed: RunState['checks'] = {
  tree: hash,
  checks: [
    {
      name: 'unit',
      command: 'npm test',
      status: 'regression',
      problem: null,
      counts,
      duration_ms: 1,
      base: { machine: 'pass', counts },
      regressions: [{ test: 'parses dates', how: 'fails' }],
      regression_count: 1,
      overridden: [],
      overridden_count: 0,
      flaky: [],
    },
  ],
};
const REGRESSION = 'in the check unit, 1 test that passes on base regressed: parses dates fails';
const hollow: RunState['exam'] = {
  criteria: [
    { id: 'AC-1', status: 'not-claimed', reason: 'its test passes without the change too', failed: 'base' },
  ],
  hash: 'h',
  tree: hash,
  tests_tree: hash,
};
const recommended = (why: AskReason, more: Partial<RunState>) =>
  dureQuestion({ ...asked(why).state, tests: tested, ...more }, 'crp-001', why, '', NOW).recommendation;

test('new tests are not recommended for code that a check or a test proves wrong', () => {
  const unbuilt = { step: 'build', problem: NOTHING_CHANGED };
  expect(recommended('failure', unbuilt)).toBe('tests');
  expect(recommended('failure', { ...unbuilt, checks: regressed })).toBe('retry');
  expect(recommended('failure', { ...unbuilt, checks: regressed, exam: hollow })).toBe('retry');
  expect(recommended('failure', { ...unbuilt, tests: { ...tested, machine: 'fail' } })).toBe('retry');
  expect(recommended('verdict', { checks: regressed, exam: hollow })).toBe('again');
  expect(recommended('verdict', { tests: { ...tested, machine: 'fail' } })).toBe('again');
});

test('new tests are recommended if the only problem is that the tests prove too little', () => {
  const unbuilt = { step: 'build', problem: NOTHING_CHANGED };
  expect(recommended('verdict', { exam: hollow })).toBe('tests');
  expect(recommended('exhausted', { exam: hollow })).toBe('tests');
  expect(recommended('failure', { ...unbuilt, exam: hollow })).toBe('tests');
  // Unless the Verifier is already at work, or the exam was of an earlier result.
  expect(recommended('verdict', { exam: hollow, step: 'generate' })).toBe('again');
  expect(recommended('verdict', { exam: { ...hollow, tree: 'b'.repeat(40) } })).toBe('again');
});

test('the text of a question ends with the evidence against the result, unless the message already contains it', () => {
  const { state } = asked('failure');
  const known = { ...state, tests: tested, checks: regressed, exam: hollow };
  const unproven = 'AC-1 is not proven: its test passes without the change too';
  expect(withEvidenceAgainst(known, NOTHING_CHANGED)).toBe(
    `${NOTHING_CHANGED}\n\nEvidence against the result:\n\n- ${unproven}\n- ${REGRESSION}`,
  );
  expect(withEvidenceAgainst(known, `PASS became FAIL: ${unproven}; ${REGRESSION}`)).not.toContain('\n');
  expect(withEvidenceAgainst({ ...state, tests: tested }, 'It crashed.')).toBe('It crashed.');
  // Tests that were not run on this result say nothing about it.
  expect(withEvidenceAgainst({ ...known, tests: null, checks: null }, 'It crashed.')).toBe('It crashed.');
  expect(
    withEvidenceAgainst({ ...known, tests: { ...tested, machine: 'could-not-run' } }, 'x'),
  ).not.toContain('the tests');
});

test('changing the set-up is not offered if the tests passed with the current one', () => {
  const offered = (why: AskReason, machine: 'could-not-run' | 'pass') =>
    dureQuestion({ ...asked(why).state, tests: { ...tested, machine } }, 'crp-001', why, '', NOW).options.map(
      ({ id }) => id,
    );
  for (const why of ['tests', 'repeated'] as const) {
    expect(offered(why, 'could-not-run')).toContain('setup');
    expect(offered(why, 'pass')).not.toContain('setup');
  }
});

test('--yes selects the recommended option of every question from an agent', () => {
  const { state } = asked('failure');
  const waiting = { ...state.waiting!, why: 'question' };
  expect(mayTakeRecommendation({ ...state, waiting, unattended: ['question'] })).toBe(true);
});

test("for Dure's own questions, --yes selects the recommended option only once for each kind of question", () => {
  const { state } = asked('failure');
  expect(mayTakeRecommendation(state)).toBe(true);
  expect(mayTakeRecommendation({ ...state, unattended: ['failure'] })).toBe(false);
  expect(mayTakeRecommendation({ ...state, unattended: ['timeout'] })).toBe(true);
});

test('if the set-up cannot be read from the configuration, the same question is asked again', () => {
  const { state } = asked('setup');
  const answer = { at: state.updated_at, type: 'vcr.created', vcr_id: 'vcr-001', crp_id: 'crp-001' } as const;
  const said = { decision: 'setup', rationale: '', effect: 'setup', applies_to_future: false } as const;
  const problem = 'The configuration is not valid';
  expect(evolve(state, { ...answer, ...said, problem })).toMatchObject({
    todo: { kind: 'ask', why: 'setup', message: problem },
  });
  expect(evolve(state, { ...answer, ...said, prepare: 'npm ci' })).toMatchObject({
    step: 'execute',
    todo: null,
    setup: { prepare: 'npm ci' },
  });
});
