/**
 * Lists which of the shell's environment variables a run stores, and which of them each launch gets. Variables that are
 * not on the list are neither stored nor visible to agents.
 */
import type { Backend } from '../../index.ts';

export type Environment = Readonly<Record<string, string>>;
type Variables = Readonly<Record<string, string | undefined>>;

/** Each of `lists` contains names separated by spaces; a trailing `*` matches any characters. */
const names = (...lists: readonly string[]): string[] => lists.flatMap(list => list.split(' '));

/** Variables for every process in a run. */
const ALWAYS = names('PATH HOME LANG LC_ALL LC_CTYPE TERM TZ XDG_CONFIG_HOME XDG_CACHE_HOME');

/** Variables for package managers: proxies, certificates, registries and their tokens, locations of toolchains and caches. */
const SETUP = names(
  'HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY http_proxy https_proxy all_proxy no_proxy',
  'SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS REQUESTS_CA_BUNDLE CURL_CA_BUNDLE',
  'npm_config_* NPM_CONFIG_* NPM_TOKEN NODE_AUTH_TOKEN YARN_* PNPM_* COREPACK_* BUN_*',
  'PIP_* UV_* PYENV_* POETRY_*',
  'GOPROXY GOPRIVATE GONOPROXY GONOSUMDB GOSUMDB GOINSECURE GOFLAGS GOTOOLCHAIN',
  'GOROOT GOPATH GOMODCACHE CARGO_* RUSTUP_*',
  'NVM_* VOLTA_* ASDF_* MISE_* JAVA_HOME ELAN_HOME OPAMROOT RBENV_ROOT SDKMAN_DIR',
  'GOENV_ROOT JENV_ROOT NODENV_ROOT GEM_HOME GEM_PATH DOTNET_ROOT GRADLE_HOME MAVEN_HOME',
  'ANDROID_HOME ANDROID_SDK_ROOT FLUTTER_ROOT KOTLIN_HOME CUDA_HOME',
  // Dure's own variable; `none` disables the sandbox.
  'DURE_SANDBOX',
);

/** Set by the user to declare that Dure itself runs in a sandbox. */
export const SANDBOX = 'IS_SANDBOX';

/** Selects all variables that a run stores because any of its launches may need them. */
export const keptEnvironment = (shell: Variables, backends: readonly Backend[]): Environment =>
  select(shell, [...ALWAYS, ...SETUP, SANDBOX, ...backends.flatMap(backend => patternsOf(backend, shell))]);

/** Selects the variables passed to an agent of this backend. */
export const agentEnvironment = (kept: Environment, backend: Backend): Environment =>
  select(kept, [...ALWAYS, ...patternsOf(backend, kept)]);

/** Variables that point to user folders outside the sandbox. */
const OUTSIDE = ['XDG_CONFIG_HOME', 'XDG_CACHE_HOME'];

/** Selects the variables passed to an agent of this backend in a sandbox. */
export const sandboxedEnvironment = (kept: Environment, backend: Backend): Environment =>
  Object.fromEntries(
    Object.entries(agentEnvironment(kept, backend)).filter(([name]) => !OUTSIDE.includes(name)),
  );

/** Tells an agent that it is in a sandbox. */
export const IN_SANDBOX: Environment = { [SANDBOX]: '1' };

/** Selects the variables that the backend sees when it builds an agent's command line. */
export const startEnvironment = (kept: Environment, backend: Backend): Environment =>
  select(kept, [...ALWAYS, SANDBOX, ...patternsOf(backend, kept)]);

/**
 * Variables for committing an approved result: author names, signing keys and passphrase prompts, access to the remote,
 * and settings for hooks.
 */
const COMMIT = names(
  'GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL',
  'SSH_AUTH_SOCK SSH_ASKPASS SSH_ASKPASS_REQUIRE GNUPGHOME GPG_TTY PINENTRY_USER_DATA',
  'DISPLAY WAYLAND_DISPLAY XAUTHORITY DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR',
  'GH_* GITHUB_TOKEN USER LOGNAME SHELL VIRTUAL_ENV',
  'SKIP HUSKY LEFTHOOK LEFTHOOK_* PRE_COMMIT_*',
);

/** Selects the environment in which git and its hooks commit an approved result as the user. */
export const approvalEnvironment = (shell: Variables): Environment =>
  select(shell, [...ALWAYS, ...SETUP, ...COMMIT]);

/** Selects the environment of Dure's own launches (set-up, tests, checks). Test commands get less of it. */
export const ownEnvironment = (kept: Environment): Environment => select(kept, [...ALWAYS, ...SETUP]);

const patternsOf = ({ passEnv = [], passEnvWith = {} }: Backend, env: Variables): string[] => [
  ...passEnv,
  ...Object.entries(passEnvWith).flatMap(([name, patterns]) => (env[name] ? patterns : [])),
];

function select(env: Variables, patterns: readonly string[]): Environment {
  const isIncluded = (name: string) =>
    patterns.some(p => (p.endsWith('*') ? name.startsWith(p.slice(0, -1)) : name === p));
  return Object.fromEntries(
    Object.entries(env).filter((e): e is [string, string] => e[1] !== undefined && isIncluded(e[0])),
  );
}
