/**
 * Defines the environment in which dependencies are installed. Package manager caches are in Dure's state folder, and
 * packages are never hard-linked from them, because a hard link would let one tree modify all others.
 */
import { join } from 'node:path';
import { inheritedEnvironment } from '../../process/inherited-environment.ts';
import type { Family } from './package-manager-interface.ts';
import type { ProgramEnvironment } from './programs-on-path.ts';

/** Returns the folder of the package manager caches. */
export const storesIn = (stateFolder: string): string => join(stateFolder, 'stores');

/** Variables for every command of a set-up, on every machine. */
export const PLAIN_VARIABLES = {
  TERM: 'dumb',
  CI: '1',
  NO_COLOR: '1',
  // Do not install git hooks: no commits are made here.
  HUSKY: '0',
  LEFTHOOK: '0',
  SKIP_INSTALL_SIMPLE_GIT_HOOKS: '1',
  // Do not download browsers: they would end up in a temporary home folder.
  PUPPETEER_SKIP_DOWNLOAD: '1',
  PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1',
  CYPRESS_INSTALL_BINARY: '0',
  PYTHONDONTWRITEBYTECODE: '1',
  DO_NOT_TRACK: '1',
} as const;

/** Returns the package manager variables that are set for the set-up and for tests. */
export const managerVariables = (command: string): Record<string, string> =>
  /\bpnpm\b/.test(command)
    ? {
        // Use the installed pnpm instead of downloading the version in `packageManager`. These are the names before and
        // since pnpm 11.
        npm_config_manage_package_manager_versions: 'false',
        pnpm_config_manage_package_manager_versions: 'false',
      }
    : {};

/** Returns the environment for every command in a set-up. */
export const plainEnvironment = (env: ProgramEnvironment): Record<string, string> => ({
  PATH: env['PATH'] || '/usr/local/bin:/usr/bin:/bin',
  ...inheritedEnvironment(env),
  ...PLAIN_VARIABLES,
});

/** Returns the cache folders that a set-up uses for this family. */
export const storesOf = (family: Family, stateFolder: string): string[] =>
  STORES[family].map(name => join(storesIn(stateFolder), name));

const STORES: Readonly<Record<Family, readonly string[]>> = {
  node: ['npm', 'pnpm', 'yarn', 'yarn-classic', 'bun'],
  python: ['pip', 'uv'],
  go: ['go'],
  rust: ['cargo'],
};

export function storeEnvironment(stateFolder: string): Record<string, string> {
  const at = (name: string): string => join(storesIn(stateFolder), name);
  return {
    npm_config_cache: at('npm'),
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
    npm_config_prefer_offline: 'true',
    BUN_INSTALL_CACHE_DIR: at('bun'),
    UV_CACHE_DIR: at('uv'),
    UV_LINK_MODE: 'copy',
    PIP_CACHE_DIR: at('pip'),
    PIP_DISABLE_PIP_VERSION_CHECK: '1',
    PIP_RETRIES: '2',
    PIP_NO_INPUT: '1',
    ...moduleEnvironment(stateFolder),
  };
}

/** Each tree has its own Yarn cache, copied from a shared mirror, so that a Plug'n'Play tree is self-contained. */
export const berryEnvironment = (stateFolder: string): Record<string, string> => ({
  YARN_GLOBAL_FOLDER: join(storesIn(stateFolder), 'yarn'),
  YARN_ENABLE_GLOBAL_CACHE: 'false',
  YARN_ENABLE_MIRROR: 'true',
  YARN_NM_MODE: 'classic',
  YARN_ENABLE_TELEMETRY: 'false',
});

/** Also needed by builds and tests, because modules are used directly from the cache. */
export const moduleEnvironment = (stateFolder: string): Record<string, string> => ({
  GOMODCACHE: join(storesIn(stateFolder), 'go'),
  CARGO_HOME: join(storesIn(stateFolder), 'cargo'),
});

/** Separate from the other variables, because later versions of Yarn would use this folder as their cache. */
export const classicEnvironment = (stateFolder: string): Record<string, string> => ({
  YARN_CACHE_FOLDER: join(storesIn(stateFolder), 'yarn-classic'),
});

export function pnpmEnvironment(stateFolder: string): Record<string, string> {
  const settings = {
    config_store_dir: join(storesIn(stateFolder), 'pnpm'),
    config_package_import_method: 'clone-or-copy',
  };
  // The names of the variables before and since pnpm 11.
  const named = ['npm', 'pnpm'].flatMap(prefix =>
    Object.entries(settings).map(([name, value]) => [`${prefix}_${name}`, value]),
  );
  return Object.fromEntries(named);
}
