import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { claude } from '../../../src/agents/backends/claude.ts';
import { agentEnvironment, keptEnvironment } from '../../../src/core/policy/environment-allowlist.ts';
import type { Start } from '../../../src/index.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'dure-home-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true, maxRetries: 20 }));

const start = (more: Partial<Start> = {}) =>
  claude.start({
    role: 'builder',
    model: 'sonnet',
    launch: 3,
    part: 1,
    mode: 'build',
    runDir: "/tmp/it's/run",
    cwd: '/tmp',
    bypass: false,
    budget_usd: null,
    resume: null,
    cassette: null,
    mcp_servers: {},
    ...more,
    env: { HOME: home, ...more.env },
  });
const given = (argv: readonly string[], flag: string): string | undefined =>
  argv.includes(flag) ? argv[argv.indexOf(flag) + 1] : undefined;

describe('the claude command', () => {
  test('contains the id of a new session, or of the session that it resumes', () => {
    const fresh = start();
    expect(fresh.session).toMatch(/^[0-9a-f-]{36}$/);
    expect(given(fresh.argv, '--session-id')).toBe(fresh.session);
    const resumed = start({ resume: { session: 's-1', answer: '/tmp/vcr-001.json' } });
    expect(resumed.session).toBe('s-1');
    expect(given(resumed.argv, '--resume')).toBe('s-1');
    expect(resumed.argv).not.toContain('--session-id');
  });

  test('skips permission prompts only with consent', () => {
    expect(start({ bypass: true }).argv).toContain('--dangerously-skip-permissions');
    const { argv } = start();
    expect(argv).not.toContain('--dangerously-skip-permissions');
    expect(given(argv, '--permission-mode')).toBe('dontAsk');
    expect(given(argv, '--allowedTools')).toContain('mcp__dure__consult_human');
  });

  test('limits the cost if there is a budget', () => {
    expect(given(start({ budget_usd: 1.5 }).argv, '--max-budget-usd')).toBe('1.5');
    expect(start().argv).not.toContain('--max-budget-usd');
  });

  test('passes the path of the answer file to consult_human and its hook, even if the path has special characters', () => {
    const { argv } = start({ resume: { session: 's-1', answer: "/tmp/it's/vcr-001.json" } });
    const servers = JSON.parse(given(argv, '--mcp-config')!);
    expect(servers.mcpServers.dure.args.slice(1)).toEqual([
      'serve',
      "/tmp/it's/run",
      '3',
      "/tmp/it's/vcr-001.json",
    ]);
    const settings = JSON.parse(given(argv, '--settings')!);
    expect(settings.hooks.PreToolUse[0].matcher).toBe('mcp__dure__consult_human');
    expect(settings.hooks.PreToolUse[0].hooks[0].command).toContain(
      `'hook' '/tmp/it'\\''s/run' '3' '/tmp/it'\\''s/vcr-001.json'`,
    );
  });
});

describe('the environment of claude', () => {
  test.runIf(process.getuid?.() === 0)(
    'contains IS_SANDBOX unchanged, or set to 1 for root in bypass mode if it was unset',
    () => {
      expect(start().env).not.toHaveProperty('IS_SANDBOX');
      expect(start({ bypass: true }).env).toMatchObject({ IS_SANDBOX: '1' });
      expect(start({ env: { IS_SANDBOX: '1' } }).env).toMatchObject({ IS_SANDBOX: '1' });
      expect(start({ bypass: true, env: { IS_SANDBOX: 'no' } }).env).toMatchObject({ IS_SANDBOX: 'no' });
    },
  );

  test('contains the credentials for a cloud provider only if the model is accessed through that provider', () => {
    const env = { AWS_SECRET_ACCESS_KEY: 'k', GOOGLE_APPLICATION_CREDENTIALS: 'g' };
    const given = (shell: Record<string, string>) =>
      agentEnvironment(keptEnvironment(shell, [claude]), claude);
    expect(given(env)).toEqual({});
    const bedrock = given({ ...env, CLAUDE_CODE_USE_BEDROCK: '1' });
    expect(bedrock).toMatchObject({ AWS_SECRET_ACCESS_KEY: 'k' });
    expect(bedrock).not.toHaveProperty('GOOGLE_APPLICATION_CREDENTIALS');
  });

  test('contains what is needed to reach the API, but no other credentials and no variables set by an enclosing claude session', () => {
    const passes = (name: string) =>
      claude.passEnv!.some(p => (p.endsWith('*') ? name.startsWith(p.slice(0, -1)) : name === p));
    for (const name of [
      'ANTHROPIC_API_KEY',
      'ANTHROPIC_BASE_URL',
      'CLAUDE_CONFIG_DIR',
      'CLAUDE_CODE_OAUTH_TOKEN',
      'HTTPS_PROXY',
    ])
      expect(passes(name), name).toBe(true);
    for (const name of [
      'AWS_SECRET_ACCESS_KEY',
      'CLAUDECODE',
      'CLAUDE_CODE_ENTRYPOINT',
      'GITHUB_TOKEN',
      'NPM_TOKEN',
    ])
      expect(passes(name), name).toBe(false);
  });
});

describe('the login state of a shell', () => {
  const loggedIn = (env: Record<string, string> = {}) => claude.isLoggedIn!({ HOME: home, ...env });

  test('a shell with an API key, a token or cloud credentials is logged in', () => {
    expect(loggedIn()).toBe(false);
    expect(loggedIn({ ANTHROPIC_API_KEY: '' })).toBe(false);
    expect(loggedIn({ ANTHROPIC_BASE_URL: 'http://127.0.0.1:1' })).toBe(false);
    for (const name of ['ANTHROPIC_API_KEY', 'CLAUDE_CODE_OAUTH_TOKEN', 'CLAUDE_CODE_USE_VERTEX'])
      expect(loggedIn({ [name]: '1' }), name).toBe(true);
  });

  test('a shell is logged in if the file written by `claude /login` exists, or if settings configure a login', () => {
    const folder = join(home, 'other');
    mkdirSync(folder);
    expect(loggedIn({ CLAUDE_CONFIG_DIR: folder })).toBe(false);
    writeFileSync(join(folder, '.credentials.json'), '{}');
    expect(loggedIn({ CLAUDE_CONFIG_DIR: folder })).toBe(true);
    expect(loggedIn()).toBe(false);
    mkdirSync(join(home, '.claude'));
    writeFileSync(join(home, '.claude', 'settings.json'), JSON.stringify({ apiKeyHelper: 'get-key' }));
    expect(loggedIn()).toBe(true);
  });
});

describe("the user's settings", () => {
  const settings = (content: string) => {
    mkdirSync(join(home, '.claude'));
    writeFileSync(join(home, '.claude', 'settings.json'), content);
  };

  test('provide only the login to claude, and no secret appears on the command line', () => {
    settings(
      JSON.stringify({
        apiKeyHelper: 'get-key',
        model: 'opus',
        hooks: { Stop: [] },
        env: { ANTHROPIC_AUTH_TOKEN: 'secret', EDITOR: 'vi' },
      }),
    );
    const { argv, env } = start();
    const own = JSON.parse(given(argv, '--settings')!);
    expect(own.apiKeyHelper).toBe('get-key');
    expect(own).not.toHaveProperty('model');
    expect(own.hooks).not.toHaveProperty('Stop');
    expect(env).toMatchObject({ ANTHROPIC_AUTH_TOKEN: 'secret' });
    expect(env).not.toHaveProperty('EDITOR');
    expect(argv.join(' ')).not.toContain('secret');
  });

  test.each(['{ broken', '[]', '{"env":"none","apiKeyHelper":7}'])(
    'cause no error if they contain %s',
    content => {
      settings(content);
      expect(() => start()).not.toThrow();
    },
  );
});
