import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { identityOf, isAlive, signalProcess } from '../../../src/process/identity.ts';
import { until } from '../launchers/launch-folder.ts';
import { makeStage, RUN } from './rehearsed-agent.ts';

test('the first output says that no model is used', async () => {
  const { rehearse, cassette } = await makeStage();
  const { events, said, results, code } = await rehearse({ cassette: await cassette({ say: 'Hello.' }) });
  expect(events[0]).toMatchObject({ type: 'system', subtype: 'init', model: 'rehearsal' });
  expect(said).toEqual(['This is a rehearsal of "a test": no model is used.', 'Hello.']);
  expect(results).toMatchObject([
    { subtype: 'success', is_error: false, result: 'Hello.', total_cost_usd: 0 },
  ]);
  expect(code).toBe(0);
});

test('every event has the session id from the command line', async () => {
  const { start, cassette } = await makeStage();
  const agent = start({ launch: 12, part: 3, cassette: await cassette({ say: 'x' }) });
  expect(agent.session).toBe('rehearsal-12-3');
  const { events } = await agent.ended();
  expect(new Set(events.map(e => e.session_id))).toEqual(new Set(['rehearsal-12-3']));
});

test('files are written and removed in the run folder, with placeholders replaced', async () => {
  const { rehearse, cassette, read, put, files } = await makeStage();
  await put('builder/old.txt', 'old');
  const { used, told } = await rehearse({
    cassette: await cassette(
      { write: 'builder/deep/er/note.md', text: '{{run}} {{role}} {{unknown}}' },
      { json: 'builder/value.json', value: { at: '{{now}}', list: ['{{run}}'] } },
      { remove: 'builder/old.txt' },
      { remove: 'builder/never-was' },
    ),
  });
  expect(await read('builder/deep/er/note.md')).toBe(`${RUN} builder {{unknown}}`);
  const { at, list } = JSON.parse(await read('builder/value.json'));
  expect(Math.abs(Date.now() - Date.parse(at))).toBeLessThan(60_000);
  expect(list).toEqual([RUN]);
  expect(existsSync(join(files.dir, 'builder/old.txt'))).toBe(false);
  expect(used.map(u => u.name)).toEqual(['Write', 'Write', 'Bash', 'Bash']);
  expect(told.map(t => [t.tool_use_id, t.is_error])).toEqual(used.map(u => [u.id, false]));
});

test('a path outside the project is refused, and the rehearsal continues', async () => {
  const { rehearse, cassette, project } = await makeStage();
  const { told, said, code } = await rehearse({
    cassette: await cassette(
      { write: '../../../../escaped', text: 'x' },
      { write: '../../../stray', text: 'x' },
      { say: 'Still here.' },
    ),
  });
  expect(told).toMatchObject([
    { is_error: true, content: expect.stringContaining('outside the project') },
    { is_error: false },
  ]);
  expect(existsSync(join(project, '..', 'escaped'))).toBe(false);
  expect(existsSync(join(project, 'stray'))).toBe(true);
  expect(said.at(-1)).toBe('Still here.');
  expect(code).toBe(0);
});

test('a failed write is reported like a failed tool call', async () => {
  const { rehearse, cassette } = await makeStage();
  const { told, code } = await rehearse({
    cassette: await cassette({ write: 'builder/output', text: 'a folder' }),
  });
  expect(told).toMatchObject([{ is_error: true, content: expect.stringContaining('EISDIR') }]);
  expect(code).toBe(0);
});

test('a command runs in the run folder with the placeholders in its environment', async () => {
  const { rehearse, cassette, files } = await makeStage();
  const { used, told } = await rehearse({
    cassette: await cassette({ sh: 'pwd; echo "$run $role {{run}}"' }, { sh: 'echo no >&2; exit 3' }),
  });
  expect(used[0]).toMatchObject({ name: 'Bash', input: { command: 'pwd; echo "$run $role {{run}}"' } });
  expect(told[0]).toMatchObject({ is_error: false, content: `${files.dir}\n${RUN} builder {{run}}\n` });
  expect(told[1]).toMatchObject({ is_error: true, content: 'no\n\nended with 3' });
});

test('a background process does not block the rehearsal', async () => {
  const { rehearse, cassette, read } = await makeStage();
  const { code } = await rehearse({ cassette: await cassette({ sh: 'sleep 600 & echo $! > builder/pid' }) });
  expect(code).toBe(0);
  const left = identityOf(Number(await read('builder/pid')))!;
  expect(signalProcess(left, 'SIGKILL')).toBe(true);
});

test('tool calls, raw text and modified results are printed as the cassette specifies', async () => {
  const { rehearse, cassette } = await makeStage();
  const { used, out, results, code } = await rehearse({
    cassette: await cassette(
      { tool: 'Grep', input: { pattern: 'x' } },
      { print: 'not JSON\n' },
      { result: { api_error_status: 429 } },
      { result: { is_error: true } },
    ),
  });
  expect(used).toMatchObject([{ name: 'Grep', input: { pattern: 'x' } }]);
  expect(out).toContain('\nnot JSON\n');
  expect(results).toMatchObject([{ is_error: true, api_error_status: 429, subtype: 'success' }]);
  expect(code).toBe(1);
});

test('an exit without a prior result counts as a crash', async () => {
  const { rehearse, cassette } = await makeStage();
  const crash = await rehearse({ cassette: await cassette({ exit: 7 }, { say: 'never' }) });
  expect([crash.code, crash.results, crash.said.includes('never')]).toEqual([7, [], false]);
  const told = await rehearse({
    cassette: await cassette({ result: { subtype: 'error_max_turns' } }, { exit: 2 }),
  });
  expect([told.code, told.results[0]?.['subtype']]).toEqual([2, 'error_max_turns']);
});

test('a kill move kills the agent with the given signal, and the agent prints no result', async () => {
  const { rehearse, cassette } = await makeStage();
  const killed = await rehearse({ cassette: await cassette({ say: 'last words' }, { kill: 'SIGKILL' }) });
  expect([killed.signal, killed.results, killed.said.at(-1)]).toEqual(['SIGKILL', [], 'last words']);
  const ended = await rehearse({ cassette: await cassette({ kill: 'SIGTERM' }) });
  expect([ended.code, ended.results]).toEqual([143, []]);
});

test('the result contains the total cost and the part of it that the process itself spent', async () => {
  const { rehearse, cassette } = await makeStage();
  const { results } = await rehearse({ cassette: await cassette({ spend: 0.1 }, { spend: 0.2 }) });
  expect(results).toMatchObject([
    {
      total_cost_usd: 0.3,
      modelUsage: { rehearsal: { costUSD: 0.3 } },
      model_usage_since_last_result: { rehearsal: { costUSD: 0.3 } },
    },
  ]);
});

test('a question ends the process with a deferred tool call, and the resumed session continues after it', async () => {
  const { start, cassette, deferred, put, read, files } = await makeStage();
  const question = { question: 'Which?', options: [{ id: 'A', label: 'a' }] };
  const recording = await cassette(
    { spend: 0.1 },
    { ask: question },
    { spend: 0.02 },
    { write: 'builder/answer.md', text: '{{decision}} / {{answer}}' },
    { ask: { ...question, question: 'And {{decision}}?' } },
    { sh: 'printf %s "$decision" > builder/decision; : "$answer"' },
    { say: 'Done.' },
  );
  const first = start({ cassette: recording, launch: 4 });
  const asked = await first.ended();
  expect(asked.code).toBe(0);
  expect(asked.results).toMatchObject([
    {
      is_error: false,
      stop_reason: 'tool_deferred',
      total_cost_usd: 0.1,
      deferred_tool_use: { name: 'mcp__dure__consult_human', input: question },
    },
  ]);
  await deferred(4, first.session);

  const vcr = {
    vcr_id: 'vcr-001',
    crp_id: 'crp-001',
    created_at: '2026-01-31T14:22:33Z',
    decision: 'A',
    rationale: 'simple',
  };
  const answer = await put('vcr/vcr-001.json', JSON.stringify(vcr));
  const again = start({
    cassette: recording,
    launch: 5,
    part: 2,
    resume: { session: first.session, answer },
  });
  expect(again.session).toBe(first.session);
  const second = await again.ended();
  expect(await read('builder/answer.md')).toBe('A / A: simple');
  expect(second.results).toMatchObject([
    {
      total_cost_usd: 0.12,
      deferred_tool_use: { input: { question: 'And A?' } },
      model_usage_since_last_result: { rehearsal: { costUSD: 0.02 } },
    },
  ]);
  await deferred(5, first.session);

  const words = await put('launches/6.consult', "take $(touch builder/oops) 'B'\n");
  const third = await start({
    cassette: recording,
    launch: 6,
    resume: { session: first.session, answer: words },
  }).ended();
  expect(third.said.at(-1)).toBe('Done.');
  expect(third.results).toMatchObject([{ stop_reason: 'end_turn', total_cost_usd: 0.12 }]);
  expect(await read('builder/decision')).toBe('A');
  expect(existsSync(join(files.dir, 'builder/oops'))).toBe(false);
});

test("a launch that starts a new session still knows the run's latest decision", async () => {
  const { rehearse, cassette, put, read } = await makeStage();
  for (const [id, decision] of [
    ['vcr-001', 'A'],
    ['vcr-002', 'B'],
  ])
    await put(
      `vcr/${id}.json`,
      JSON.stringify({ vcr_id: id, crp_id: 'crp-001', created_at: '2026-01-31T14:22:33Z', decision }),
    );
  await rehearse({ cassette: await cassette({ write: 'builder/knows', text: '{{decision}}' }) });
  expect(await read('builder/knows')).toBe('B');
});

test('usage is reported on request, before the first move and during the rehearsal', async () => {
  const { start, cassette } = await makeStage();
  const agent = start({ cassette: await cassette({ spend: 0.5 }, { say: 'Spent.' }, { wait: 600_000 }) });
  agent.tell({ type: 'control_request', request_id: 'before', request: { subtype: 'get_usage' } });
  await until(() => agent.out().includes('Spent.'));
  agent.tell({ type: 'control_request', request_id: 'now', request: { subtype: 'get_usage' } });
  agent.tell({ type: 'control_request', request_id: 'odd', request: { subtype: 'dance' } });
  agent.tell({ type: 'control_request', request_id: 'end', request: { subtype: 'interrupt' } });
  const { events } = await agent.ended();
  const answers = events.filter(e => e.type === 'control_response').map(e => e.response);
  expect(answers).toMatchObject([
    { request_id: 'before', subtype: 'success', response: { session: { total_cost_usd: 0 } } },
    { request_id: 'now', subtype: 'success', response: { session: { total_cost_usd: 0.5 } } },
    { request_id: 'odd', subtype: 'error' },
    { request_id: 'end', subtype: 'success' },
  ]);
});

test('an interrupt stops the agent and its command at once, and the result says that it was aborted', async () => {
  const { start, cassette, read, files } = await makeStage();
  const agent = start({
    cassette: await cassette(
      { spend: 0.25 },
      { sh: 'echo $$ > builder/pid.tmp; mv builder/pid.tmp builder/pid; sleep 600' },
      { say: 'never' },
    ),
  });
  agent.tell({ type: 'user', message: { role: 'user', content: 'go' } });
  await until(() => existsSync(join(files.dir, 'builder/pid')));
  const command = identityOf(Number(await read('builder/pid')))!;
  agent.tell({ type: 'control_request', request_id: 'x', request: { subtype: 'interrupt' } });
  const { code, results, said } = await agent.ended();
  expect(code).toBe(1);
  expect(results).toMatchObject([
    {
      subtype: 'error_during_execution',
      is_error: true,
      terminal_reason: 'aborted_tools',
      total_cost_usd: 0.25,
    },
  ]);
  expect(said).not.toContain('never');
  await until(() => !isAlive(command));
});

test('on SIGINT, the agent exits with status 0 like Claude Code; on SIGTERM, it kills the running command and exits without a result', async () => {
  const { start, cassette, read, files, put } = await makeStage();
  const waiting = start({ cassette: await cassette({ say: 'Waiting.' }, { wait: 600_000 }) });
  waiting.tell({ type: 'user', message: { role: 'user', content: 'go' } });
  await until(() => waiting.out().includes('Waiting.'));
  waiting.child.kill('SIGINT');
  const interrupted = await waiting.ended();
  expect([interrupted.code, interrupted.results[0]?.['terminal_reason']]).toEqual([0, 'aborted_tools']);

  await put('builder/pid', '');
  const working = start({ cassette: await cassette({ sh: 'echo $$ > builder/pid; sleep 600' }) });
  working.tell({ type: 'user', message: { role: 'user', content: 'go' } });
  await until(async () => (await read('builder/pid')).endsWith('\n'));
  const command = identityOf(Number(await read('builder/pid')))!;
  working.child.kill('SIGTERM');
  const ended = await working.ended();
  expect([ended.code, ended.results]).toEqual([143, []]);
  await until(() => !isAlive(command));
  expect(existsSync(files.dir)).toBe(true);
});

test('a prompt of any size is read', async () => {
  const { start, cassette } = await makeStage();
  const agent = start({ cassette: await cassette({ say: 'Read.' }, { wait: 100 }) });
  agent.child.stdin.on('error', () => {});
  agent.tell({ type: 'user', message: { role: 'user', content: 'x'.repeat(5_000_000) } });
  const { code, said } = await agent.ended();
  expect([code, said.at(-1)]).toEqual([0, 'Read.']);
});

test('a cassette that is missing, invalid or has no moves for the role is reported on standard error', async () => {
  const { rehearse, cassette, put, project } = await makeStage();
  const absent = await rehearse({ cassette: join(project, 'nowhere.json') });
  const wrong = await rehearse({
    cassette: await put('wrong.json', '{"title": "x", "parts": {"builder": [[{"dance": 1}]]}}'),
  });
  const other = await rehearse({ role: 'critic', mode: 'build', cassette: await cassette({ say: 'x' }) });
  for (const [ended, words] of [
    [absent, 'not found'],
    [wrong, 'parts.builder.0.0'],
    [other, 'has no part for critic'],
  ] as const) {
    expect(ended.err).toContain(words);
    expect([ended.code, ended.results]).toEqual([1, []]);
  }
});
