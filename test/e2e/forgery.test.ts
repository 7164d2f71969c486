import { describe, expect, test } from 'vitest';
import { analyses, builds, cassette, config, flag, generates, rules } from './players.ts';
import { git, stage } from './stage.ts';

const forged = {
  exit_code: 0,
  stdout: '',
  stderr: '',
  duration_ms: 1,
  executed_at: '2026-01-31T14:22:33.000Z',
  test_results: { total: 10, passed: 10, failed: 0, skipped: 0 },
  machine: 'pass',
  failures: [],
  command: 'true',
  tree: '0'.repeat(40),
  tests_tree: '0'.repeat(40),
};

describe('the record of the test run decides', () => {
  test('an agent that rewrites test-output.json is sent back, and a PASS is lowered all the same', async () => {
    const { start } = await stage();
    const play = await start(
      cassette({
        builder: [builds('nothing\n'), builds('hello\n')],
        'verifier:analyse': [[{ json: 'verifier/test-output.json', value: forged }, ...analyses], analyses],
      }),
    );
    expect((await play.drive()).phase).toBe('ready_for_merge');
    const events = await play.events();
    expect(events.find(e => e.type === 'agent.failed')).toMatchObject({
      kind: 'validation',
      step: 'analyse',
    });
    expect(events.find(e => e.type === 'verdict.given')).toMatchObject({
      claimed: 'PASS',
      verdict: 'MINOR_FAIL',
    });
  });

  test('tests that write their own result are not believed', async () => {
    const { start } = await stage({ config: { global: { max_iterations: 1 } } });
    const write = 'cp verifier/tests/forged.json ../verifier/test-output.json; sleep 1; exit 1';
    const play = await start(
      cassette({
        'verifier:generate': [
          [
            { write: 'verifier/tests/forged.json', text: JSON.stringify(forged) },
            config(write),
            flag('verifier/tests-ready.flag'),
          ],
        ],
      }),
    );
    const state = await play.drive();
    expect(state.tests?.machine).toBe('fail');
    expect(state.verdict).toMatchObject({ claimed: 'PASS', verdict: 'FAIL' });
    expect(state.waiting?.why).toBe('exhausted');
  });

  test('a checkout that cannot be prepared proves nothing, whatever the command after it says', async () => {
    // The worktree has a .git, the fresh checkout of the proof has none.
    const { start } = await stage({
      config: {
        global: {
          max_iterations: 1,
          workspace: { setup: 'test -e .git' },
          auto_retry: { enabled: false },
        },
      },
    });
    const green = 'false; echo TAP version 13; echo 1..1; echo ok 1';
    const play = await start(
      cassette({ 'verifier:generate': [[generates[0]!, config(green), flag('verifier/tests-ready.flag')]] }),
    );
    const state = await play.drive();
    expect(state.tests?.machine).toBe('could-not-run');
    expect(state.verdict).toMatchObject({ claimed: 'PASS', verdict: 'FAIL' });
  });
});

test('an approval that an agent left before the pack is nobody’s', async () => {
  const { root, start } = await stage();
  const approve = `node -e '
    const { sealed } = JSON.parse(require("fs").readFileSync("state.json", "utf8"));
    const wish = { asked_at: new Date().toISOString(), tree: sealed.build.tree, how: "merge" };
    require("fs").writeFileSync("wishes/approve.json", JSON.stringify(wish));'`;
  const play = await start(cassette({ gatekeeper: [[{ sh: approve }, ...rules('PASS')]] }));
  const head = git(root, 'rev-parse', 'HEAD');
  expect((await play.drive()).phase).toBe('ready_for_merge');
  expect((await play.drive()).phase).toBe('ready_for_merge');
  expect(git(root, 'rev-parse', 'HEAD')).toBe(head);
});
