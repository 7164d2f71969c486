import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { requestChanges } from '../../src/core/run/requests/request-changes.ts';
import { crpFile } from '../../src/formats/crp-and-vcr.ts';
import { evidenceFile } from '../../src/formats/evidence.ts';
import { claimFile } from '../../src/formats/launch.ts';
import { load } from '../../src/formats/read-and-write-files.ts';
import type { RunState } from '../../src/formats/state.ts';
import { git, writeFiles } from '../helpers/git-repositories.ts';
import {
  analyses,
  asks,
  builds,
  cassette,
  config,
  flag,
  generates,
  refines,
  rules,
  rulesAtOnce,
} from './agent-moves.ts';
import { clock } from './fake-clock.ts';
import { scratchProject, type TestRun } from './scratch-project.ts';

/** Every byte in a folder except `.dure` and `.git`, and the git state. */
async function picture(root: string): Promise<string> {
  const names = (await readdir(root, { recursive: true })).sort();
  const hash = createHash('sha256');
  for (const name of names) {
    if (/^(\.dure|\.git)(\/|$)/.test(name)) continue;
    const file = join(root, name);
    const stats = await stat(file);
    hash.update(`${name} ${stats.mode} `);
    if (stats.isFile()) hash.update(await readFile(file));
  }
  return `${hash.digest('hex')}\n${git(root, 'status', '--porcelain', '--', '.', ':!.dure')}\n${git(root, 'rev-parse', 'HEAD')}`;
}

describe('a successful run', () => {
  test("ends in a pack; the user's working tree is unchanged until the approval, and then contains exactly the sealed tree", async () => {
    const { root, start } = await scratchProject();
    const before = await picture(root);
    const run = await start(cassette());
    const ready = await run.drive();
    expect(ready.phase).toBe('ready_for_merge');
    expect(await run.eventTypes('agent.completed', 'tests.executed', 'verdict.given', 'mrp.created')).toEqual(
      [
        'agent.completed refine',
        'agent.completed build',
        'agent.completed generate',
        'tests.executed',
        'agent.completed analyse',
        'agent.completed gate',
        'verdict.given',
        'mrp.created',
      ],
    );
    expect(await picture(root)).toBe(before);
    const evidence = (await load(evidenceFile, run.files.evidence))!;
    expect(evidence).toMatchObject({
      tests: { total: 10, passed: 10, failed: 0 },
      files_changed: ['greeting.txt'],
      test_command: 'sh verifier/tests/greets.sh',
      test_exit_code: 0,
      test_machine: 'pass',
      verdict: 'PASS',
      iterations: 1,
    });
    expect(evidence.cost_usd).toBeCloseTo(0.03, 6);

    const done = await run.approve();
    expect(done.phase).toBe('completed');
    expect(git(root, 'rev-parse', 'HEAD^{tree}')).toBe(ready.mrp!.tree);
    expect(git(root, 'status', '--porcelain', '--', '.', ':!.dure')).toBe('');
    expect(await readFile(join(root, 'greeting.txt'), 'utf8')).toBe('hello\n');
  });

  test('writes a pack that can be verified on another machine', async () => {
    const { start } = await scratchProject();
    const run = await start(cassette());
    await run.drive();
    const out = execFileSync('sh', [join(run.files.mrp, 'check.sh')], { encoding: 'utf8' });
    expect(out).toContain('ok 10 - greets');
  });
});

describe('verdicts', () => {
  test('FAIL leads to another build, with the review in its prompt', async () => {
    const { start } = await scratchProject();
    const run = await start(
      cassette({
        builder: [builds('nothing\n'), builds('hello\n')],
        gatekeeper: [rules('FAIL', { issues: ['it does not greet'] }), rules('PASS')],
      }),
    );
    const state = await run.drive();
    expect(state).toMatchObject({ phase: 'ready_for_merge', iteration: 2 });
    expect(await run.prompt('builder')).toContain('# Review');
  });

  test('PASS with failing tests is lowered to MINOR_FAIL, and the result is fixed without a new iteration', async () => {
    const { start } = await scratchProject();
    const run = await start(
      cassette({ builder: [builds('nothing\n'), builds('hello\n')], gatekeeper: [rules('PASS')] }),
    );
    const state = await run.drive();
    expect(state).toMatchObject({ phase: 'ready_for_merge', iteration: 1, minor_fixes: 1 });
    const verdicts = (await run.events()).filter(e => e.type === 'verdict.given');
    expect(verdicts.map(v => [v.claimed, v.verdict])).toEqual([
      ['PASS', 'MINOR_FAIL'],
      ['PASS', 'PASS'],
    ]);
  });

  test('tests that fail again after a fix lead to a question, and the result can be accepted without proof', async () => {
    const { start } = await scratchProject({ config: { global: { max_iterations: 1 } } });
    const run = await start(
      cassette({
        builder: ['one', 'two', 'three', 'four'].map(text => builds(`${text}\n`)),
        gatekeeper: [rules('MINOR_FAIL', { issues: ['almost'] })],
      }),
    );
    const state = await run.drive();
    expect(state).toMatchObject({ phase: 'waiting_human', iteration: 1, minor_fixes: 1 });
    expect(state.waiting?.why).toBe('repeated');
    await run.answer('accept', 'good enough');
    const accepted = await run.drive();
    expect(accepted.phase).toBe('ready_for_merge');
    const evidence = await load(evidenceFile, run.files.evidence);
    expect(evidence).toMatchObject({
      accepted_by_person: true,
      test_machine: 'fail',
      verdict: 'MINOR_FAIL',
    });
    expect(await readFile(run.files.summary, 'utf8')).toContain('accepted without proof');
  });

  test('NEEDS_HUMAN without a question leads to one', async () => {
    const { start } = await scratchProject();
    const run = await start(cassette({ gatekeeper: [rules('NEEDS_HUMAN'), rules('PASS')] }));
    const state = await run.drive();
    expect(state.waiting?.why).toBe('verdict');
    await run.answer('stop');
    expect((await run.drive()).phase).toBe('stopped');
  });
});

describe('questions', () => {
  const roles = {
    refiner: { refiner: [[asks('crp-001', 'refiner')], refines] },
    builder: { builder: [[asks('crp-001', 'builder')], builds('hello\n')] },
    verifier: { 'verifier:generate': [[asks('crp-001', 'verifier')], generates] },
    gatekeeper: { gatekeeper: [[asks('crp-001', 'gatekeeper')], rules('PASS')] },
  };
  test.each(Object.entries(roles))(
    'from the %s wait for the user, and the answer is in the next prompt',
    async (role, parts) => {
      const { start } = await scratchProject();
      const run = await start(cassette(parts));
      const waiting = await run.drive();
      expect(waiting).toMatchObject({ phase: 'waiting_human', pending_crp: 'crp-001' });
      expect(waiting.agents[role]?.status).toBe('waiting_human');
      expect(await load(crpFile, run.files.crp('crp-001'))).toMatchObject({ status: 'pending' });
      await run.answer('B', 'more polite'); // No driver is running now.
      expect((await run.drive()).phase).toBe('ready_for_merge');
      expect(await load(crpFile, run.files.crp('crp-001'))).toMatchObject({ status: 'resolved' });
      expect(await run.eventTypes('crp.created')).toHaveLength(1);
      const launched = await readdir(run.files.prompts);
      const texts = await Promise.all(launched.map(name => readFile(join(run.files.prompts, name), 'utf8')));
      expect(texts.some(text => text.includes('more polite'))).toBe(true);
    },
  );

  test('the answer to a question asked through consult_human resumes the same session', async () => {
    const { start } = await scratchProject();
    const ask = {
      ask: {
        type: 'clarification',
        question: 'Which?',
        options: [
          { id: 'A', label: 'a' },
          { id: 'B', label: 'b' },
        ],
      },
    };
    const run = await start(
      cassette({ builder: [[{ spend: 0.01 }, ask, ...builds('hello {{decision}}\n')]] }),
    );
    expect((await run.drive()).pending_crp).toBe('crp-001');
    await run.answer('B');
    const state = await run.drive();
    expect(state.phase).toBe('ready_for_merge');
    expect(await readFile(join(run.files.mrpCode, 'greeting.txt'), 'utf8')).toBe('hello B\n');
    const evidence = await load(evidenceFile, run.files.evidence);
    expect(evidence!.cost_usd).toBeCloseTo(0.01 + 0.01 + 0.02, 6);
  });

  test('two questions with the same id are separate questions', async () => {
    const { start } = await scratchProject();
    const run = await start(
      cassette({
        refiner: [[asks('crp-001', 'refiner')], refines],
        builder: [[asks('crp-001', 'builder', { question: 'And which file?' })], builds('hello\n')],
      }),
    );
    expect((await run.drive()).pending_crp).toBe('crp-001');
    await run.answer('A');
    expect((await run.drive()).pending_crp).toBe('crp-002');
    await run.answer('A');
    expect((await run.drive()).phase).toBe('ready_for_merge');
  });

  test('are answered with the recommended option if the run was started with --yes', async () => {
    const { start } = await scratchProject();
    const run = await start(cassette({ refiner: [[asks('crp-001', 'refiner')], refines] }), {
      takeRecommendations: true,
    });
    const state = await run.drive();
    expect(state).toMatchObject({ phase: 'ready_for_merge', decisions: ['vcr-001'] });
  });

  test('answers for future runs are in the prompts of later runs', async () => {
    const { start } = await scratchProject();
    const first = await start(cassette({ refiner: [[asks('crp-001', 'refiner')], refines] }));
    await first.drive();
    await first.answer('B', 'always be polite', true);
    await first.drive();
    const second = await start(cassette(), { acceptCommands: true });
    await second.drive();
    expect(await second.prompt('refiner')).toContain('always be polite');
  });
});

describe("an agent's failure is named in its next prompt; a repeated failure leads to a question", () => {
  const broken = {
    'a verdict that is not JSON': [
      'gatekeeper',
      [{ write: 'gatekeeper/verdict.json', text: '{"verdict": "PASS"' }, { wait: 100 }],
      'gatekeeper/verdict.json is not valid',
    ],
    'an unknown verdict': ['gatekeeper', rules('MAYBE'), 'MAYBE is not one of'],
    'a test-config with a wrong type': [
      'verifier:generate',
      [...generates.slice(0, 1), config('true', { timeout_ms: 'long' }), flag('verifier/tests-ready.flag')],
      'timeout_ms',
    ],
    'results that are not an object': [
      'verifier:analyse',
      [{ json: 'verifier/results.json', value: 7 }, flag('verifier/done.flag')],
      'verifier/results.json is not valid',
    ],
    'a question without options': [
      'refiner',
      [asks('crp-001', 'refiner', { options: [] })],
      'crp/crp-001.json is not valid',
    ],
    'exit code 1': ['builder', [{ print: 'boom' }, { exit: 1 }], ''],
    'an exit without result': ['builder', [{ say: 'I am done.' }], 'nothing was changed'],
    'an error flag': ['builder', [{ write: 'builder/error.flag', text: 'I cannot' }], 'I cannot'],
    'a result that is an error': [
      'builder',
      [{ result: { is_error: true, subtype: 'error_during_execution' } }],
      '',
    ],
    'nothing written': ['builder', [flag('builder/done.flag')], 'nothing was changed'],
    'writing outside its folder': [
      'verifier:generate',
      [{ write: 'gatekeeper/verdict.json', text: '{}' }, ...generates],
      'outside verifier/',
    ],
    "writing in the Builder's worktree": [
      'verifier:generate',
      [{ write: 'builder/output/greeting.txt', text: 'forged' }, ...generates],
      'outside verifier/',
    ],
  } as const;

  test.each(Object.entries(broken))('%s', async (_, [who, moves, said]) => {
    const { start } = await scratchProject({
      config: { global: { auto_retry: { enabled: true, max_attempts: 1 } } },
    });
    const run = await start(cassette({ [who]: [[...moves]] }));
    const state = await run.drive();
    expect(state).toMatchObject({ phase: 'waiting_human' });
    expect(state.waiting?.why).toBe('failure');
    const failed = (await run.events()).filter(e => e.type === 'agent.failed');
    expect(failed).toHaveLength(2);
    if (said) expect(failed[0]!.message).toContain(said);
    expect(await run.prompt(who.split(':')[0]!)).toContain(failed[0]!.message.split('\n')[0]!.slice(0, 60));
  });

  test('a successful second attempt is accepted', async () => {
    const { start } = await scratchProject();
    const run = await start(cassette({ gatekeeper: [rules('MAYBE'), rules('PASS')] }));
    expect((await run.drive()).phase).toBe('ready_for_merge');
  });

  test('a missing command leads to a question without a second attempt', async () => {
    const { start, project } = await scratchProject();
    await writeFile(project.configOf('global'), JSON.stringify({ allow_bypass: true }));
    const path = process.env['PATH'];
    process.env['PATH'] = '/usr/bin:/bin';
    try {
      const run = await start(cassette(), { backend: 'claude' });
      const state = await run.drive();
      expect(state.phase).toBe('waiting_human');
      expect(state.problem).toContain('claude');
      const failed = (await run.events()).filter(e => e.type === 'agent.failed');
      expect(failed.map(e => e.kind)).toEqual(['permission']);
    } finally {
      process.env['PATH'] = path;
    }
  });
});

describe('a time limit', () => {
  const hangs = [{ wait: 600_000 }];
  const timeouts = { refiner: 300_000, builder: 300_000, verifier: 300_000, gatekeeper: 300_000 };

  /** Drives the run, and lets the time limit of its first Builder pass. */
  function driveLate(run: TestRun, pass: (ms: number) => void): Promise<RunState> {
    let isLate = false;
    return run.drive(event => {
      if (isLate || event.type !== 'agent.started' || event.step !== 'build') return;
      isLate = true;
      pass(301_000);
    });
  }

  test('timeout_action stop: a timeout leads to a question', async () => {
    const pass = clock();
    const { start } = await scratchProject({ config: { global: { timeouts, timeout_action: 'stop' } } });
    const run = await start(
      cassette({ builder: [hangs, builds('hello\n')], gatekeeper: [rulesAtOnce('PASS')] }),
    );
    const state = await driveLate(run, pass);
    expect(state.waiting?.why).toBe('timeout');
    await run.answer('retry');
    expect((await run.drive()).phase).toBe('ready_for_merge');
  });

  test('timeout_action retry: the agent is restarted', async () => {
    const pass = clock();
    const { start } = await scratchProject({ config: { global: { timeouts, timeout_action: 'retry' } } });
    const run = await start(
      cassette({ builder: [hangs, builds('hello\n')], gatekeeper: [rulesAtOnce('PASS')] }),
    );
    const state = await driveLate(run, pass);
    expect(state).toMatchObject({ waiting: null, problem: null, phase: 'ready_for_merge' });
    expect(await run.eventTypes('agent.timeout')).toHaveLength(1);
  });

  test('timeout_action warn: a timeout is reported once, and the agent continues', async () => {
    const pass = clock();
    const { start } = await scratchProject({ config: { global: { timeouts, timeout_action: 'warn' } } });
    const held = { sh: 'until [ -e builder/go ]; do sleep 0.1; done' };
    const run = await start(
      cassette({ builder: [[held, ...builds('hello\n')]], gatekeeper: [rulesAtOnce('PASS')] }),
    );
    const over = driveLate(run, pass);
    await expect.poll(() => run.eventTypes('agent.timeout')).toHaveLength(1);
    await writeFile(join(run.files.builder, 'go'), '');
    expect(await over).toMatchObject({ waiting: null, problem: null, phase: 'ready_for_merge' });
    expect(await run.eventTypes('agent.timeout')).toHaveLength(1);
  });
});

describe('tests that cannot run never pass', () => {
  const hostile = {
    'a missing command': 'no-such-command-here',
    'a command that takes too long': 'sleep 60',
    'a command that runs no test': 'echo TAP version 13; echo 1..0',
    'a command that hides the exit code of its tests': 'false | tail -20',
  };
  test.each(Object.entries(hostile))('%s', async (_, command) => {
    const { start } = await scratchProject({
      config: { global: { max_iterations: 1, auto_retry: { enabled: true, max_attempts: 1 } } },
    });
    const run = await start(
      cassette({
        'verifier:generate': [
          [generates[0]!, config(command, { timeout_ms: 1000 }), flag('verifier/tests-ready.flag')],
        ],
      }),
    );
    const state = await run.drive();
    expect(state).toMatchObject({ waiting: { why: 'tests' }, iteration: 1, verdict: null });
    expect(state.tests?.machine).toBe('could-not-run');
    const crp = JSON.parse(await readFile(run.files.crp('crp-001'), 'utf8'));
    expect(crp.recommendation).toBe('tests');
    expect(crp.context).toContain('The last lines of `verifier/test-log.txt`:\n\n    ');
    expect(crp.context).toContain(`$ ${command}`);
  });

  test('set-up commands, unlike the test command, may hide their exit code', async () => {
    const { start } = await scratchProject({ config: { global: { workspace: { setup: 'true | cat' } } } });
    const test = 'grep -q hello builder/output/greeting.txt';
    const run = await start(
      cassette({ 'verifier:generate': [[generates[0]!, config(test), flag('verifier/tests-ready.flag')]] }),
    );
    const state = await run.drive();
    expect(state.tests?.machine).toBe('pass');
    expect(state.phase).toBe('ready_for_merge');
  });

  test('a command that prints 800 MB runs to completion and fills neither memory nor disk', async () => {
    const { start } = await scratchProject();
    const print = 'head -c 800000000 /dev/zero | tr "\\0" x; echo; sh verifier/tests/greets.sh';
    const prints = config(print, { timeout_ms: 600_000 });
    const run = await start(
      cassette({ 'verifier:generate': [[generates[0]!, prints, flag('verifier/tests-ready.flag')]] }),
    );
    let kilobytes = 0;
    const watching = setInterval(async () => {
      const claim = await load(claimFile, run.files.claim((await run.state()).launch)).catch(() => null);
      const status = await readFile(`/proc/${claim?.runner.pid}/status`, 'utf8').catch(() => '');
      kilobytes = Math.max(kilobytes, Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0));
    }, 50);
    expect((await run.drive()).phase).toBe('ready_for_merge');
    clearInterval(watching);
    expect((await stat(run.files.testLog)).size).toBeLessThan(50_000_000);
    expect(kilobytes).toBeGreaterThan(0);
    // A process that kept the output would need at least its 800 MB. The capped logs and Node need about 250 MB.
    expect(kilobytes).toBeLessThan(700_000);
  });
});

test('an edit that the Builder makes after its step was sealed is not in the pack', async () => {
  const { start } = await scratchProject();
  const late = {
    sh: '(until [ -e builder/sealed ]; do sleep 0.1; done; echo late > builder/output/late.txt; echo late >> builder/output/greeting.txt; touch builder/wrote) & true',
  };
  const stays = { sh: 'until [ -e builder/wrote ]; do sleep 0.1; done' };
  const run = await start(cassette({ builder: [[late, ...builds('hello\n'), stays]] }));
  const state = await run.drive(event => {
    if (event.type === 'agent.completed' && event.step === 'build')
      writeFileSync(join(run.files.builder, 'sealed'), '');
  });
  expect(state.phase).toBe('ready_for_merge');
  expect(await readdir(run.files.mrpCode)).toEqual(['greeting.txt']);
  expect(await readFile(join(run.files.mrpCode, 'greeting.txt'), 'utf8')).toBe('hello\n');
});

test('a late edit to the refined briefing is not in the pack', async () => {
  const { start } = await scratchProject();
  const late = {
    sh: '(until [ -e briefing/sealed ]; do sleep 0.1; done; echo late >> briefing/refined.md; touch briefing/wrote) & true',
  };
  const stays = { sh: 'until [ -e briefing/wrote ]; do sleep 0.1; done' };
  const run = await start(cassette({ refiner: [[late, ...refines, stays]] }));
  const state = await run.drive(event => {
    if (event.type === 'agent.completed' && event.step === 'refine')
      writeFileSync(join(run.files.briefing, 'sealed'), '');
  });
  expect(state.phase).toBe('ready_for_merge');
  expect(await readFile(run.files.refined, 'utf8')).toMatch(/late$/m);
  const summary = await readFile(join(run.files.mrp, 'summary.md'), 'utf8');
  expect(summary).toContain('The refined briefing');
  expect(summary).not.toMatch(/late$/m);
});

test('requested changes reach the Builder with file and line, and cost one iteration', async () => {
  const { start } = await scratchProject();
  const run = await start(cassette({ builder: [builds('hello\n'), builds('hello there\n')] }));
  const ready = await run.drive();
  await requestChanges({ ...run, state: ready }, 'Be warmer.', [
    { file: 'greeting.txt', line: 1, comment: 'say hello there' },
  ]);
  const again = await run.drive();
  expect(again).toMatchObject({ phase: 'ready_for_merge', iteration: 2 });
  const prompt = await run.prompt('builder');
  expect(prompt).toContain('Be warmer.');
  expect(prompt).toContain('say hello there');
  expect((await run.approve()).phase).toBe('completed');
});

describe('runs', () => {
  test('runs in two projects can be driven at the same time', async () => {
    const stages = await Promise.all([scratchProject(), scratchProject()]);
    const runs = await Promise.all(stages.map(({ start }) => start(cassette())));
    const ends = await Promise.all(runs.map(run => run.drive()));
    expect(ends.map(s => s.phase)).toEqual(['ready_for_merge', 'ready_for_merge']);
  });

  test('a run in a project without git is merged', async () => {
    const { root, start } = await scratchProject({ git: false });
    const run = await start(cassette());
    await run.drive();
    expect((await run.approve()).phase).toBe('completed');
    expect(await readFile(join(root, 'greeting.txt'), 'utf8')).toBe('hello\n');
    expect((await readdir(root)).sort()).toEqual(['.dure', 'README.md', 'greeting.txt', 'src']);
  });

  test('a run in an empty folder is merged', async () => {
    const { root, start } = await scratchProject({ git: false, files: {} });
    const run = await start(cassette());
    await run.drive();
    await run.approve();
    expect((await readdir(root)).sort()).toEqual(['.dure', 'greeting.txt']);
  });

  test("leave uncommitted changes in the user's working tree as they are", async () => {
    const { root, start } = await scratchProject();
    await writeFiles(root, { 'README.md': 'changed\n', 'new.txt': 'new\n' });
    const before = await picture(root);
    const run = await start(cassette());
    await run.drive();
    expect(await picture(root)).toBe(before);
    expect((await run.approve()).phase).toBe('completed');
    expect(await readFile(join(root, 'README.md'), 'utf8')).toBe('changed\n');
    expect(await readFile(join(root, 'greeting.txt'), 'utf8')).toBe('hello\n');
  });
});

test('without the external runner, one session of the Verifier performs the steps generate and analyse, and Dure runs the tests anyway', async () => {
  const { start } = await scratchProject({ config: { verifier: { external_runner: { enabled: false } } } });
  const all = [...generates.slice(0, 2), ...analyses];
  const run = await start(cassette({ 'verifier:generate': [all] }));
  const state = await run.drive();
  expect(state).toMatchObject({ phase: 'ready_for_merge', tests: { machine: 'pass', total: 10 } });
  expect(state.agents['verifier']).toMatchObject({ status: 'completed' });
});
