import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { summaryFromLog } from '../../src/agents/streams/summary-from-raw-log.ts';
import { claimFile, type Usage } from '../../src/formats/launch.ts';
import { runFiles } from '../../src/formats/layout.ts';
import { load } from '../../src/formats/read-and-write-files.ts';
import { identityOf, isAlive } from '../../src/process/identity.ts';
import { type LaunchFolder, launchFolder } from './agent-launch.ts';
import { type MessagesApi, messagesApi, priceOf, type Tokens, type Turn } from './fake-messages-api.ts';
import { CLAUDE_VERSION, claudeBin } from './install-claude.ts';
import { mcpServer } from './mcp-server.ts';

let at: LaunchFolder;
let api: MessagesApi;
const opened: MessagesApi[] = [];
const script = async (...turns: Turn[]): Promise<void> => {
  api = await messagesApi(turns);
  opened.push(api);
};

beforeEach(() => {
  at = launchFolder();
});
afterEach(async () => {
  await at.remove();
  for (const one of opened.splice(0)) await one.close();
});

const eventually = { timeout: 60_000, interval: 50 };
const bash = (command: string) => ({ name: 'Bash', input: { command, description: 'a step' } });
const consult = (question: string) => ({
  name: 'mcp__dure__consult_human',
  input: {
    type: 'architecture',
    question,
    options: [
      { id: 'A', label: 'in memory' },
      { id: 'B', label: 'in a file' },
    ],
    recommendation: 'A',
  },
});
/** A killed process remains visible until the kernel has ended it. */
const gone = (file: string): Promise<void> =>
  expect.poll(() => identityOf(Number(readFileSync(join(at.cwd, file), 'utf8')))).toBeNull();
const tokensOf = ({ cost_usd, ...tokens }: Usage): Tokens => tokens;
const sum = (...all: (Usage | null)[]): Usage => {
  const total = {
    input_tokens: 0,
    output_tokens: 0,
    cache_read_input_tokens: 0,
    cache_creation_input_tokens: 0,
    cost_usd: 0,
  };
  for (const one of all)
    for (const key of Object.keys(total) as (keyof typeof total)[]) total[key] += one![key]!;
  return total;
};
describe('a working agent', () => {
  test('succeeds, writes its files, and costs what the API charged', async () => {
    await script(
      {
        say: 'I write it.',
        use: [{ name: 'Write', input: { file_path: join(at.cwd, 'hello.txt'), content: 'hello\n' } }],
      },
      { say: 'I look at it.', use: [bash('cat hello.txt')], tokens: { cache_read_input_tokens: 5000 } },
      { say: 'It is there.', tokens: { cache_creation_input_tokens: 2000 } },
    );
    const { exit, screen } = await at.run(api);
    expect(exit).toMatchObject({ outcome: 'ok', kind: null, code: 0, message: 'It is there.' });
    expect(readFileSync(join(at.cwd, 'hello.txt'), 'utf8')).toBe('hello\n');
    expect(tokensOf(exit.usage!)).toEqual(api.charged);
    expect(exit.usage!.cost_usd).toBeCloseTo(priceOf(api.charged), 8);
    expect(screen).toContain('● Bash cat hello.txt');
    expect(screen).toContain('It is there.');
  });

  test('works without bypass mode, with the tools that it is allowed to use', async () => {
    await script({ say: 'so', use: [bash('echo allowed > here.txt')] }, { say: 'done' });
    const { exit } = await at.run(api, { bypass: false });
    expect(exit.outcome).toBe('ok');
    expect(readFileSync(join(at.cwd, 'here.txt'), 'utf8')).toBe('allowed\n');
  });

  test('may use the MCP servers that the project lists, even without bypass mode', async () => {
    const mcp_servers = {
      listed: { command: process.execPath, args: ['-e', mcpServer('look', 'looked up')] },
    };
    await script({ say: 'so', use: [{ name: 'mcp__listed__look', input: {} }] }, { say: 'done' });
    const { exit } = await at.run(api, { bypass: false, mcp_servers });
    expect(exit.outcome).toBe('ok');
    expect(api.tools).toContain('mcp__listed__look');
    expect(api.heard).toContain('looked up');
  });

  test('treats a prompt that looks like a command, or names a file, as text', async () => {
    writeFileSync(join(at.cwd, 'secret.txt'), 'what the file says');
    await script({ say: 'done' });
    await at.run(api, { prompt: '/cost and @secret.txt' });
    expect(api.asked).toBe(1);
    expect(api.heard).toContain('/cost and @secret.txt');
    expect(api.heard).not.toContain('what the file says');
  });

  test('ignores project settings and user settings', async () => {
    const hook = (name: string) => ({
      hooks: { SessionStart: [{ hooks: [{ type: 'command', command: `touch ${join(at.cwd, name)}` }] }] },
    });
    mkdirSync(join(at.cwd, '.claude'));
    mkdirSync(join(at.home, '.claude'));
    writeFileSync(join(at.cwd, '.claude', 'settings.json'), JSON.stringify(hook('by-project')));
    const helper = { apiKeyHelper: 'echo sk-ant-by-helper' };
    writeFileSync(
      join(at.home, '.claude', 'settings.json'),
      JSON.stringify({ ...hook('by-person'), ...helper }),
    );
    await script({ say: 'done' });
    const { exit } = await at.run(api, { env: { ANTHROPIC_API_KEY: '' } });
    expect(exit.outcome, 'the way to log in is the one thing that counts').toBe('ok');
    expect(existsSync(join(at.cwd, 'by-project'))).toBe(false);
    expect(existsSync(join(at.cwd, 'by-person'))).toBe(false);
  });

  test('leaves no process behind, not even one that a tool started in another session', async () => {
    await script(
      { say: 'so', use: [bash('setsid sleep 7777 >/dev/null 2>&1 & echo $! > left.pid')] },
      { say: 'done' },
    );
    const { exit } = await at.run(api);
    expect(exit.outcome).toBe('ok');
    await gone('left.pid');
  });
});

describe('when the API refuses requests', () => {
  test('a credentials error ends the launch with a permission failure, before the CLI gives up', async () => {
    await script({ refuse: { status: 401, type: 'authentication_error', message: 'invalid x-api-key' } });
    const { exit } = await at.run(api);
    expect(exit).toMatchObject({ outcome: 'error', kind: 'permission' });
    expect(exit.message).toContain('401');
    // Ten attempts take the CLI three minutes; Dure stops it after the first.
    expect(api.asked).toBeLessThan(10);
  });

  test('a temporary error is retried', async () => {
    await script({ say: 'done', refuse: { status: 500, type: 'api_error', message: 'oops', times: 1 } });
    const { exit, screen } = await at.run(api);
    expect(exit.outcome).toBe('ok');
    expect(screen).toContain('500');
    expect(tokensOf(exit.usage!)).toEqual(api.charged);
  });

  test('an overloaded API is retried', async () => {
    await script({
      say: 'done',
      refuse: { status: 529, type: 'overloaded_error', message: 'busy', times: 2 },
    });
    expect((await at.run(api)).exit.outcome).toBe('ok');
    expect(api.asked).toBe(3);
  });

  test('a rate limit that lasts for hours ends the launch as rate-limited', async () => {
    await script({
      refuse: {
        status: 429,
        type: 'rate_limit_error',
        message: 'too many tokens',
        headers: { 'retry-after': '3600' },
      },
    });
    const { exit } = await at.run(api);
    expect(exit).toMatchObject({ outcome: 'rate-limited', kind: null });
  });

  test('an exhausted usage limit ends the launch as rate-limited, with the reset time', async () => {
    const reset = Math.ceil(Date.now() / 1000) + 7200;
    await script({
      refuse: {
        status: 429,
        type: 'rate_limit_error',
        message: 'limit',
        headers: {
          'retry-after': '7200',
          'anthropic-ratelimit-unified-status': 'rejected',
          'anthropic-ratelimit-unified-reset': String(reset),
          'anthropic-ratelimit-unified-representative-claim': 'five_hour',
        },
      },
    });
    const { exit } = await at.run(api, {
      env: { ANTHROPIC_API_KEY: '', CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-loopback' },
    });
    expect(exit).toMatchObject({ outcome: 'rate-limited', retry_at: new Date(reset * 1000).toISOString() });
  });

  test('an account without credit ends the launch with a resource failure', async () => {
    const message = 'Your credit balance is too low to access the Anthropic API.';
    await script({ refuse: { status: 400, type: 'invalid_request_error', message } });
    expect((await at.run(api)).exit).toMatchObject({ outcome: 'error', kind: 'resource' });
  });
});

describe('an agent that cannot start', () => {
  test('missing credentials cause a permission failure', async () => {
    await script({ say: 'never' });
    const { exit } = await at.run(api, { env: { ANTHROPIC_API_KEY: '' } });
    expect(exit).toMatchObject({ outcome: 'error', kind: 'permission' });
    expect(api.asked).toBe(0);
  });

  test.skipIf(process.getuid?.() !== 0)(
    'running as root outside a sandbox causes a permission failure',
    async () => {
      await script({ say: 'never' });
      const { exit } = await at.run(api, { env: { IS_SANDBOX: '' } });
      expect(exit).toMatchObject({ outcome: 'error', kind: 'permission' });
      expect(api.asked).toBe(0);
    },
  );
});

test('an agent that reaches its budget ends with the outcome `budget`', async () => {
  await script({ say: 'so', use: [bash('true')], tokens: { output_tokens: 100_000 } }, { say: 'never' });
  const { exit } = await at.run(api, { budget_usd: 0.01 });
  expect(exit).toMatchObject({ outcome: 'budget' });
  expect(exit.usage!.cost_usd).toBeCloseTo(priceOf(api.charged), 8);
  expect(api.asked).toBe(1);
});

describe('a question to the user', () => {
  const answered = (crp: string, decision: string): string => {
    const files = runFiles(at.runDir);
    mkdirSync(files.vcrs, { recursive: true });
    mkdirSync(files.crps, { recursive: true });
    const vcr = crp.replace('crp', 'vcr');
    const { input } = consult('Where is the state kept?');
    writeFileSync(files.crp(crp), JSON.stringify({ crp_id: crp, created_by: 'builder', ...input }));
    const file = files.vcr(vcr);
    writeFileSync(
      file,
      JSON.stringify({
        vcr_id: vcr,
        crp_id: crp,
        created_at: new Date().toISOString(),
        decision,
        rationale: 'It must survive.',
      }),
    );
    return file;
  };

  test('ends the process; the answer continues the same session, and no usage is counted twice', async () => {
    await script(
      { say: 'I must ask.', use: [consult('Where is the state kept?')] },
      { say: 'Thanks.', use: [bash('echo file > state.txt')], tokens: { cache_read_input_tokens: 3000 } },
      { say: 'One more thing.', use: [consult('And the log?')] },
      { say: 'All done.' },
    );
    const first = (await at.run(api)).exit;
    expect(first).toMatchObject({
      outcome: 'deferred',
      code: 0,
      question: { question: 'Where is the state kept?' },
    });
    expect(api.asked).toBe(1);

    const second = (
      await at.run(api, { resume: { session: first.session!, answer: answered('crp-001', 'B') } })
    ).exit;
    expect(second).toMatchObject({
      outcome: 'deferred',
      session: first.session,
      question: { question: 'And the log?' },
    });
    expect(api.asked).toBe(3);
    expect(api.heard).toContain('Decision: B (in a file)');
    expect(api.heard).toContain('It must survive.');
    expect(readFileSync(join(at.cwd, 'state.txt'), 'utf8')).toBe('file\n');

    const third = (
      await at.run(api, { resume: { session: first.session!, answer: answered('crp-002', 'A') } })
    ).exit;
    expect(third).toMatchObject({ outcome: 'ok', session: first.session, message: 'All done.' });
    expect(api.heard).toContain('Decision: A (in memory)');

    const whole = sum(first.usage, second.usage, third.usage);
    expect(tokensOf(whole)).toEqual(api.charged);
    expect(whole.cost_usd).toBeCloseTo(priceOf(api.charged), 8);
    expect(third.session_cost_usd).toBeCloseTo(whole.cost_usd!, 8);
  });

  test('is deferred again at no cost if there is no answer yet', async () => {
    await script({ say: 'I must ask.', use: [consult('Where is the state kept?')] }, { say: 'never' });
    const first = (await at.run(api, { bypass: false })).exit;
    const again = (
      await at.run(api, {
        bypass: false,
        resume: { session: first.session!, answer: join(at.runDir, 'vcr', 'none.json') },
      })
    ).exit;
    expect(again).toMatchObject({ outcome: 'deferred', question: { question: 'Where is the state kept?' } });
    expect(again.usage).toMatchObject({ input_tokens: 0, output_tokens: 0, cost_usd: 0 });
    expect(api.asked).toBe(1);
  });

  test('if it was answered before its agent died, the answer resumes the session', async () => {
    await script(
      { say: 'I must ask.', use: [consult('Where is the state kept?')] },
      { say: 'Thanks.', use: [bash('echo once >> answered.txt')] },
      { say: 'All done.' },
    );
    const first = (await at.run(api)).exit;
    const resume = { session: first.session!, answer: answered('crp-001', 'B') };
    expect((await at.run(api, { resume })).exit.outcome).toBe('ok');
    const { exit } = await at.run(api, { resume });
    expect(exit.outcome).toBe('ok');
    expect(readFileSync(join(at.cwd, 'answered.txt'), 'utf8')).toBe('once\n');
  });

  test('is returned to the agent with an explanation if it is invalid', async () => {
    const { name, input } = consult('Which?');
    await script(
      { say: 'I ask.', use: [{ name, input: { ...input, recommendation: 'Z' } }] },
      { say: 'Then not.' },
    );
    const { exit } = await at.run(api);
    expect(exit.outcome).toBe('ok');
    expect(api.heard).toContain('expected the id of an option (A, B)');
  });
});

describe('an agent that is stopped', () => {
  test('is killed with its tools when its runner gets a signal, and its cost is known', async () => {
    await script({ say: 'so', use: [bash('echo $$ > tool.pid; sleep 7777')] }, { say: 'never' });
    const running = at.launch(api);
    await vi.waitFor(
      () => expect(readFileSync(join(at.cwd, 'tool.pid'), 'utf8')).toMatch(/\d\n/),
      eventually,
    );
    // A CLI that is too slow to end by itself is killed, and its cost is then read from the raw log.
    const log = runFiles(at.runDir).stream('builder', running.launch);
    await vi.waitFor(
      async () => expect((await summaryFromLog(log)).usage?.cost_usd).toBeGreaterThan(0),
      eventually,
    );
    running.runner.kill('SIGTERM');
    const { exit } = await running.ended;
    expect(exit).toMatchObject({ outcome: 'stopped', kind: null });
    expect(tokensOf(exit.usage!)).toEqual(api.charged);
    expect(exit.usage!.cost_usd).toBeCloseTo(priceOf(api.charged), 8);
    await gone('tool.pid');
  });

  test('is also killed while it waits for the API', async () => {
    await script({ hang: true });
    const running = at.launch(api);
    await vi.waitFor(() => expect(api.asked).toBe(1), eventually);
    running.runner.kill('SIGHUP');
    expect((await running.ended).exit.outcome).toBe('stopped');
  });

  test('after kill -9 of the agent, its cost is in the raw log, and the launch counts as a crash', async () => {
    await script({ say: 'so', use: [bash('touch began; sleep 7777')] }, { say: 'never' });
    const running = at.launch(api);
    await vi.waitFor(() => expect(existsSync(join(at.cwd, 'began'))).toBe(true), eventually);
    const log = runFiles(at.runDir).stream('builder', running.launch);
    await vi.waitFor(
      async () => expect((await summaryFromLog(log)).usage?.cost_usd).toBeGreaterThan(0),
      eventually,
    );
    for (const pid of childrenOf(running.runner.pid!)) process.kill(pid, 'SIGKILL');
    const { exit } = await running.ended;
    expect(exit).toMatchObject({ outcome: 'error', kind: 'crash', signal: 'SIGKILL' });
    expect(tokensOf(exit.usage!)).toEqual(api.charged);
    expect(exit.usage!.cost_usd).toBeCloseTo(priceOf(api.charged), 8);
  });

  test('after the agent and its runner are killed with SIGKILL, the raw log shows what the launch cost', async () => {
    await script({ say: 'so', use: [bash('touch began; sleep 7777')] }, { say: 'never' });
    const running = at.launch(api);
    await vi.waitFor(() => expect(existsSync(join(at.cwd, 'began'))).toBe(true), eventually);
    const log = runFiles(at.runDir).stream('builder', running.launch);
    await vi.waitFor(
      async () => expect((await summaryFromLog(log)).usage?.cost_usd).toBeGreaterThan(0),
      eventually,
    );
    const claim = (await load(claimFile, runFiles(at.runDir).claim(running.launch)))!;
    running.runner.kill('SIGKILL');
    await vi.waitFor(() => expect(isAlive(claim.runner)).toBe(false), eventually);
    expect(existsSync(runFiles(at.runDir).exit(running.launch))).toBe(false);
    const account = await summaryFromLog(log);
    expect(tokensOf(account.usage!)).toEqual(api.charged);
    expect(account.usage!.cost_usd).toBeCloseTo(priceOf(api.charged), 8);
  });
});

const childrenOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap(task =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );

test('the installed CLI has the version for which these tests were written', () => {
  expect(execFileSync(join(claudeBin, 'claude'), ['--version'], { encoding: 'utf8' })).toContain(
    CLAUDE_VERSION,
  );
});
