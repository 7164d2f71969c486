/**
 * Runs Claude Code (`claude -p`) over stream-json, with only the settings and MCP servers that Dure passes.
 * Project settings are not loaded, because agents write to the project and could configure each other. Of the
 * user's settings, only the login is loaded: the user's hooks and plugins are meant for other work.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { singleQuoted } from '../../formats/text/shell-words.ts';
import type { Backend, Start } from '../../index.ts';
import { distFile } from '../../process/package-paths-and-version.ts';
import { API_ONLY, CONFIG_IN_HOME, isLoggedIn, type Login, loginOf, needsInSandbox } from './claude-login.ts';
import { probeClaude } from './claude-probe.ts';

const CONSULT = 'mcp__dure__consult_human';

/**
 * The tools that a role needs. Excludes tools that work outside the worktree, schedule later work or talk to other
 * sessions.
 */
const TOOLS = [
  'Bash',
  'Edit',
  'Read',
  'Write',
  'Glob',
  'Grep',
  'NotebookEdit',
  'Task',
  'WebFetch',
  'WebSearch',
];

/** Any timeout would do: the tool is only called when the answer is already there. */
const TOOL_TIMEOUT_MS = 600_000;

const consult = (mode: 'serve' | 'hook', start: Start): string[] => [
  distFile('consult.cjs'),
  mode,
  start.runDir,
  String(start.launch),
  ...(start.resume ? [start.resume.answer] : []),
];

const settings = (start: Start, login: Login): string =>
  JSON.stringify({
    ...login.settings,
    hooks: {
      PreToolUse: [
        {
          matcher: CONSULT,
          hooks: [
            {
              type: 'command',
              command: [process.execPath, ...consult('hook', start)].map(singleQuoted).join(' '),
              timeout: 60,
            },
          ],
        },
      ],
    },
    // Dure makes the commits and records authorship itself.
    attribution: { commit: '', pr: '' },
  });

const servers = (start: Start): string =>
  JSON.stringify({
    mcpServers: {
      ...start.mcp_servers,
      dure: {
        command: process.execPath,
        args: consult('serve', start),
        alwaysLoad: true,
        timeout: TOOL_TIMEOUT_MS,
      },
    },
  });

const permissions = ({ bypass, mcp_servers }: Start): string[] => {
  if (bypass) return ['--dangerously-skip-permissions'];
  const allowed = [...TOOLS, CONSULT, ...Object.keys(mcp_servers).map(name => `mcp__${name}`)];
  return ['--permission-mode', 'dontAsk', '--allowedTools', allowed.join(',')];
};

/** As root, claude skips permission prompts only if the environment declares a sandbox. */
const sandbox = (start: Start): Record<string, string> => {
  if (start.env['IS_SANDBOX'] !== undefined) return { IS_SANDBOX: start.env['IS_SANDBOX'] };
  return start.bypass && process.getuid?.() === 0 ? { IS_SANDBOX: '1' } : {};
};

export const claude = {
  name: 'claude',
  stream: 'claude',
  passEnv: [
    'ANTHROPIC_*',
    'CLAUDE_CONFIG_DIR',
    'CLAUDE_CODE_OAUTH_*',
    'CLAUDE_CODE_USE_*',
    'CLAUDE_CODE_SKIP_*',
    'CLAUDE_CODE_API_*',
    'CLAUDE_CODE_CLIENT_*',
    'CLAUDE_CODE_MAX_*',
    'HTTP_PROXY',
    'HTTPS_PROXY',
    'NO_PROXY',
    'http_proxy',
    'https_proxy',
    'no_proxy',
    'SSL_CERT_FILE',
    'SSL_CERT_DIR',
    'NODE_EXTRA_CA_CERTS',
    'API_TIMEOUT_MS',
    'SHELL',
    'USER',
    'TMPDIR',
  ],
  // Cloud credentials are passed to agents only if the model is accessed through that cloud.
  passEnvWith: {
    CLAUDE_CODE_USE_BEDROCK: ['AWS_*'],
    CLAUDE_CODE_USE_VERTEX: ['GOOGLE_*', 'GCLOUD_*', 'CLOUD_ML_*', 'VERTEX_*'],
    CLAUDE_CODE_USE_FOUNDRY: ['AZURE_*'],
  },
  isLoggedIn,
  probe: probeClaude,
  start(start) {
    const session = start.resume?.session ?? randomUUID();
    const login = loginOf(start.env);
    return {
      session,
      argv: [
        'claude',
        '-p',
        ...['--input-format', 'stream-json', '--output-format', 'stream-json'],
        ...['--verbose', '--include-partial-messages'],
        ...['--model', start.model],
        ...(start.resume ? ['--resume', session] : ['--session-id', session]),
        ...['--setting-sources', ''],
        ...['--settings', settings(start, login)],
        '--strict-mcp-config',
        ...['--mcp-config', servers(start)],
        ...['--tools', TOOLS.join(',')],
        '--disable-slash-commands',
        ...(start.budget_usd === null ? [] : ['--max-budget-usd', String(start.budget_usd)]),
        ...permissions(start),
      ],
      sandbox: needsInSandbox(start.env),
      env: {
        ...login.env,
        ...(start.home !== undefined && { CLAUDE_CONFIG_DIR: join(start.home, CONFIG_IN_HOME) }),
        ...sandbox(start),
        ...API_ONLY,
        // Makes claude produce one result and exit, instead of leaving agents running in the background.
        CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
        // Prompts quote briefings and reviews; an @name in them is plain text.
        CLAUDE_CODE_DISABLE_FILE_MENTIONS: '1',
        CLAUDE_CODE_STARTUP_FAILURE_RESULTS: '1',
      },
    };
  },
} satisfies Backend;
