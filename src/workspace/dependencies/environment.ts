/**
 * The environment in which dependencies are installed: where each package manager keeps what it fetched, in Dure's state
 * folder, and never by hard link, for a link would let one tree write into all others.
 */
import { join } from 'node:path';
import { toolchainVariables } from '../../process/toolchain.ts';
import type { Environment } from './programs.ts';

/** Folders that hold what was fetched. */
export const storesIn = (stateFolder: string): string => join(stateFolder, 'stores');

/** What every command of a set-up gets, be it the person's or the project's own. */
export const plainEnvironment = (env: Environment): Record<string, string> => ({
  PATH: env['PATH'] || '/usr/local/bin:/usr/bin:/bin',
  ...toolchainVariables(env),
  ...(env['HOME'] && { HOME: env['HOME'] }),
  LANG: env['LANG'] || 'C.UTF-8',
  TERM: 'dumb',
  CI: '1',
  NO_COLOR: '1',
  // No hooks of git: nobody commits here.
  HUSKY: '0',
  LEFTHOOK: '0',
  SKIP_INSTALL_SIMPLE_GIT_HOOKS: '1',
  // Browsers would be loaded into a home that is thrown away.
  PUPPETEER_SKIP_DOWNLOAD: '1',
  PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1',
  CYPRESS_INSTALL_BINARY: '0',
  // The pnpm that is there is used, and does not fetch another version of itself.
  npm_config_manage_package_manager_versions: 'false',
  pnpm_config_manage_package_manager_versions: 'false',
  PYTHONDONTWRITEBYTECODE: '1',
  DO_NOT_TRACK: '1',
});

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

/** Yarn keeps its cache in the tree, so that a tree with Plug'n'Play has all it needs; copied from one for all. */
export const berryEnvironment = (stateFolder: string): Record<string, string> => ({
  YARN_GLOBAL_FOLDER: join(storesIn(stateFolder), 'yarn'),
  YARN_ENABLE_GLOBAL_CACHE: 'false',
  YARN_ENABLE_MIRROR: 'true',
  YARN_NM_MODE: 'classic',
  YARN_ENABLE_TELEMETRY: 'false',
});

/** What builds and tests need too: modules are used from where they were fetched to. */
export const moduleEnvironment = (stateFolder: string): Record<string, string> => ({
  GOMODCACHE: join(storesIn(stateFolder), 'go'),
  CARGO_HOME: join(storesIn(stateFolder), 'cargo'),
});

/** Later versions of Yarn would take this for their own cache. */
export const classicEnvironment = (stateFolder: string): Record<string, string> => ({
  YARN_CACHE_FOLDER: join(storesIn(stateFolder), 'yarn-classic'),
});

export function pnpmEnvironment(stateFolder: string): Record<string, string> {
  const settings = {
    config_store_dir: join(storesIn(stateFolder), 'pnpm'),
    config_package_import_method: 'clone-or-copy',
  };
  // Before and since version 11.
  const named = ['npm', 'pnpm'].flatMap(prefix =>
    Object.entries(settings).map(([name, value]) => [`${prefix}_${name}`, value]),
  );
  return Object.fromEntries(named);
}
