/**
 * Claude Code (`claude -p`), spoken with over stream-json. What it is told is all that counts: settings of the project
 * are not loaded, for the agents write in the project and would set up one another, and settings of the person are
 * not, but for the way to log in: hooks and plugins of other work do not belong into this one.
 */
import { randomUUID } from 'node:crypto';
import type { Backend, Start } from '../../index.ts';
import { distFile } from '../../package-root.ts';
import { isLoggedIn, type Login, loginOf } from './claude-login.ts';

const CONSULT = 'mcp__dure__consult_human';

/** What a role needs. Without the tools that leave the worktree, plan for later or talk to other sessions. */
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

/** A person may take days, but is asked without a process: the answer is there when the tool runs. */
const TOOL_TIMEOUT_MS = 600_000;

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

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
              command: [process.execPath, ...consult('hook', start)].map(quoted).join(' '),
              timeout: 60,
            },
          ],
        },
      ],
    },
    // Dure commits, and says itself who did what.
    attribution: { commit: '', pr: '' },
  });

const servers = (start: Start): string =>
  JSON.stringify({
    mcpServers: {
      dure: {
        command: process.execPath,
        args: consult('serve', start),
        alwaysLoad: true,
        timeout: TOOL_TIMEOUT_MS,
      },
    },
  });

const permissions = (bypass: boolean): string[] =>
  bypass
    ? ['--dangerously-skip-permissions']
    : ['--permission-mode', 'dontAsk', '--allowedTools', [...TOOLS, CONSULT].join(',')];

/** As root, claude works without permission prompts only in what calls itself a sandbox. */
const sandbox = (start: Start): Record<string, string> => {
  if (start.env['IS_SANDBOX'] !== undefined) return { IS_SANDBOX: start.env['IS_SANDBOX'] };
  return start.bypass && process.getuid?.() === 0 ? { IS_SANDBOX: '1' } : {};
};

export const claude: Backend = {
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
  // Credentials of a cloud are handed to agents only where the model is reached through that cloud.
  passEnvWith: {
    CLAUDE_CODE_USE_BEDROCK: ['AWS_*'],
    CLAUDE_CODE_USE_VERTEX: ['GOOGLE_*', 'GCLOUD_*', 'CLOUD_ML_*', 'VERTEX_*'],
    CLAUDE_CODE_USE_FOUNDRY: ['AZURE_*'],
  },
  isLoggedIn,
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
        ...permissions(start.bypass),
      ],
      env: {
        ...login.env,
        ...sandbox(start),
        DISABLE_AUTOUPDATER: '1',
        // Nothing but the API is called: a run says the same things with and without a network beside it.
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        // One result and an end, instead of agents that go on unseen behind it.
        CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
        // A prompt quotes briefings and reviews: an @name in them is text.
        CLAUDE_CODE_DISABLE_FILE_MENTIONS: '1',
        CLAUDE_CODE_STARTUP_FAILURE_RESULTS: '1',
      },
    };
  },
};
