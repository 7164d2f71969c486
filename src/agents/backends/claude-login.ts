/**
 * Finds the user's login to Claude Code in their environment and settings; their other settings do not apply to agents.
 * Credential helpers are passed in the agent's settings, but credentials only in its environment, because command lines
 * are public.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { objectAt, textAt } from '../../formats/schema/json-access.ts';
import type { Start, Started } from '../../index.ts';

const COMMANDS = ['apiKeyHelper', 'awsAuthRefresh', 'awsCredentialExport', 'gcpAuthRefresh'];
const CREDENTIALS =
  /^(ANTHROPIC_|CLAUDE_CODE_(USE|SKIP|API|CLIENT|OAUTH)_|AWS_|GOOGLE_|CLOUD_ML_|AZURE_|HTTPS?_PROXY$)/;

/** Prevents network calls other than those to the API, so that runs behave the same without other network access. */
export const API_ONLY = { DISABLE_AUTOUPDATER: '1', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' };

export interface Login {
  readonly settings: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
}

const TOKENS = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'];
const CLOUDS = ['CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_USE_VERTEX', 'CLAUDE_CODE_USE_FOUNDRY'];

/**
 * Whether the environment or the settings contain a key or a token or select a cloud provider, or `claude /login` has
 * written its file.
 */
export function isLoggedIn(env: Start['env']): boolean {
  const login = loginOf(env);
  const folder = configFolder(env);
  return (
    [...TOKENS, ...CLOUDS].some(name => env[name] || login.env[name]) ||
    'apiKeyHelper' in login.settings ||
    (folder !== null && existsSync(join(folder, CREDENTIALS_FILE)))
  );
}

/** Missing settings, or settings that claude itself cannot read, count as empty. */
export function loginOf(env: Start['env']): Login {
  const settings = readSettings(env);
  return {
    settings: strings(settings, name => COMMANDS.includes(name)),
    env: strings(settings['env'], name => CREDENTIALS.test(name)),
  };
}

function readSettings(env: Start['env']): Record<string, unknown> {
  const folder = configFolder(env);
  return folder === null ? {} : readObject(join(folder, 'settings.json'));
}

function readObject(file: string): Record<string, unknown> {
  try {
    return objectAt(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return {};
  }
}

/** Claude's configuration folder in a sandbox, relative to the agent's home. */
export const CONFIG_IN_HOME = '.claude';
const CREDENTIALS_FILE = '.credentials.json';

/** Keys of `.claude.json` that identify the account. The others concern other projects. */
const ACCOUNT = [
  'oauthAccount',
  'primaryApiKey',
  'customApiKeyResponses',
  'userID',
  'hasCompletedOnboarding',
];

/** Returns what claude needs: its local installation, the login files, and the hosts for the API and for logging in. */
export function needsInSandbox(env: Start['env']): NonNullable<Started['sandbox']> {
  const folder = configFolder(env);
  const home = env['HOME'];
  const account = accountOf(env['CLAUDE_CONFIG_DIR'] ?? home);
  const installation = home && join(home, '.claude', 'local');
  return {
    readable: installation && existsSync(installation) ? [installation] : [],
    login:
      folder === null
        ? []
        : [{ from: join(folder, CREDENTIALS_FILE), to: join(CONFIG_IN_HOME, CREDENTIALS_FILE) }],
    files: { [join(CONFIG_IN_HOME, '.claude.json')]: `${JSON.stringify(account)}\n` },
    hosts: hostsOf(env['ANTHROPIC_BASE_URL'] ?? loginOf(env).env['ANTHROPIC_BASE_URL']),
  };
}

/** Hosts for the API and for logging in. */
const HOSTS = ['api.anthropic.com', 'console.anthropic.com', 'platform.claude.com'];

function hostsOf(baseUrl: string | undefined): string[] {
  if (!baseUrl || !URL.canParse(baseUrl)) return HOSTS;
  const { protocol, hostname, port } = new URL(baseUrl);
  return [`${hostname}:${port || (protocol === 'http:' ? 80 : 443)}`];
}

function accountOf(folder: string | undefined): object {
  const all = folder ? readObject(join(folder, '.claude.json')) : {};
  return Object.fromEntries(Object.entries(all).filter(([name]) => ACCOUNT.includes(name)));
}

const configFolder = (env: Start['env']): string | null =>
  env['CLAUDE_CONFIG_DIR'] ?? (env['HOME'] ? join(env['HOME'], '.claude') : null);

const strings = (from: unknown, isIncluded: (name: string) => boolean): Record<string, string> =>
  Object.fromEntries(
    Object.entries(objectAt(from)).filter(
      (entry): entry is [string, string] => isIncluded(entry[0]) && textAt(entry[1]) !== null,
    ),
  );
