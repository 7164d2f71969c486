import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { answerText } from '../../../src/agents/consult/answer-text.ts';
import { decidePermission } from '../../../src/agents/consult/defer-question-hook.ts';
import { serveConsult } from '../../../src/agents/consult/mcp-server.ts';
import { runFiles } from '../../../src/formats/layout.ts';
import { distFile } from '../../../src/process/package-paths-and-version.ts';

const input = {
  question: 'Where is the state kept?',
  options: [
    { id: 'A', label: 'in memory' },
    { id: 'B', label: 'in a file' },
  ],
};
const call = (tool_use_id: string, more: object = {}) => ({ tool_use_id, tool_input: { ...input, ...more } });

async function place() {
  const dir = await mkdtemp(join(tmpdir(), 'dure-consult-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true, maxRetries: 20 }));
  const files = runFiles(dir);
  for (const folder of [files.crps, files.vcrs, files.launches]) mkdirSync(folder);
  writeFileSync(
    files.crp('crp-001'),
    JSON.stringify({ crp_id: 'crp-001', created_by: 'builder', type: 'architecture', ...input }),
  );
  const answer = (more: object = {}) =>
    writeFileSync(
      files.vcr('vcr-001'),
      JSON.stringify({
        vcr_id: 'vcr-001',
        crp_id: 'crp-001',
        created_at: '2026-01-31T00:00:00Z',
        decision: 'B',
        ...more,
      }),
    );
  return { dir, files, answer };
}

describe('consult_human', () => {
  test('defers the call if there is no answer, so waiting costs nothing', () => {
    expect(decidePermission(call('t1'), null, false)).toEqual({ permissionDecision: 'defer' });
  });

  test('returns the answer, even when called again', () => {
    expect(decidePermission(call('t1'), null, true)).toEqual({ permissionDecision: 'allow' });
    expect(decidePermission(call('t1'), 't1', true)).toEqual({ permissionDecision: 'allow' });
  });

  test('does not reuse an answer for the next question', () => {
    expect(decidePermission(call('t2'), 't1', true)).toEqual({ permissionDecision: 'defer' });
  });

  test.each([
    ['without options', { options: [] }, 'options'],
    ['that recommends an unknown option', { recommendation: 'Z' }, 'expected the id of an option (A, B)'],
    [
      'with two options that have the same id',
      { options: [input.options[0], input.options[0]] },
      'two options have the same id',
    ],
    ['with an unknown key', { urgency: 'high' }, 'unknown key urgency'],
  ])('rejects a question %s, and explains why', (_what, more, problem) => {
    expect(decidePermission(call('t1', more), null, false)).toMatchObject({
      permissionDecision: 'deny',
      permissionDecisionReason: expect.stringContaining(problem),
    });
  });
});

describe('the text of an answer', () => {
  test('contains the id and label of the decision, the reason and the notes', async () => {
    const at = await place();
    at.answer({ rationale: 'It must survive.', additional_notes: 'Use JSON.' });
    expect(await answerText(at.dir, at.files.vcr('vcr-001'))).toBe(
      'Decision: B (in a file)\nRationale: It must survive.\nNotes: Use JSON.\nThis is what the person decided. Follow it and continue with the task.',
    );
  });

  test('has no label for a decision in the user’s own words', async () => {
    const at = await place();
    at.answer({ decision: 'OTHER', rationale: 'In the cloud.' });
    expect(await answerText(at.dir, at.files.vcr('vcr-001'))).toMatch(
      /^Decision: OTHER\nRationale: In the cloud\./,
    );
  });

  test('is null if there is no answer yet', async () => {
    const at = await place();
    expect(await answerText(at.dir, at.files.vcr('vcr-001'))).toBeNull();
  });
});

describe('the MCP server', () => {
  const talk = async (messages: unknown[], answer: () => Promise<string | null>) => {
    const [stdin, stdout] = [new PassThrough(), new PassThrough()];
    for (const message of messages)
      stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
    stdin.end();
    await serveConsult(stdin, stdout, answer);
    stdout.end();
    return (await text(stdout))
      .trim()
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line));
  };
  const ask = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'consult_human', arguments: input },
  };

  test('offers one tool, whose input is a question', async () => {
    const replies = await talk(
      [
        { jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25' } },
        { jsonrpc: '2.0', method: 'notifications/initialized' },
        { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      ],
      async () => null,
    );
    expect(replies).toHaveLength(2);
    expect(replies[0].result).toMatchObject({ protocolVersion: '2025-11-25', capabilities: { tools: {} } });
    expect(replies[1].result.tools).toHaveLength(1);
    expect(replies[1].result.tools[0]).toMatchObject({
      name: 'consult_human',
      inputSchema: { type: 'object', required: ['question', 'options'] },
    });
  });

  test('returns the answer', async () => {
    expect((await talk([ask], async () => 'Decision: B'))[0]).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: { content: [{ type: 'text', text: 'Decision: B' }], isError: false },
    });
  });

  test('returns an error if there is no answer', async () => {
    expect((await talk([ask], async () => null))[0].result).toMatchObject({ isError: true });
    const broken = await talk([ask], async () => Promise.reject(new Error('torn')));
    expect(broken[0].result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('torn') }],
    });
  });

  test('answers unknown methods with an error and ignores invalid input', async () => {
    const replies = await talk(
      [
        'no json',
        '[]',
        { id: 1, method: 'server/discover' },
        { id: 2, method: 'tools/call', params: { name: 'rm' } },
      ],
      async () => null,
    );
    expect(replies.map(one => one.error.code)).toEqual([-32601, -32602]);
  });
});

describe('the permission hook', () => {
  const hook = async (dir: string, id: string, answer: string): Promise<string> => {
    const child = spawn(process.execPath, [distFile('consult.cjs'), 'hook', dir, '7', answer], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    child.stdin.end(JSON.stringify({ hook_event_name: 'PreToolUse', ...call(id) }));
    return JSON.parse(await text(child.stdout)).hookSpecificOutput.permissionDecision;
  };

  test('allows only one call for each answer, even if two are made at once', async () => {
    const at = await place();
    const answer = at.files.vcr('vcr-001');
    expect(await hook(at.dir, 't1', answer)).toBe('defer');
    at.answer();
    expect((await Promise.all([hook(at.dir, 't1', answer), hook(at.dir, 't2', answer)])).sort()).toEqual([
      'allow',
      'defer',
    ]);
  });
});
