/**
 * Builds the complete environment for a set-up, a test or a check. Only a few variables of the shell that started
 * Dure are passed on, so code written by an agent does not see keys and tokens.
 */
import { delimiter, dirname, join } from 'node:path';
import { LAUNCH_MARKS } from '../formats/launch.ts';
import { type Env, toolchainVariables } from '../process/sandbox/toolchain.ts';

/** Keeps pytest from stopping at the first failure. */
export const PYTEST_RUN_ALL = '--maxfail=0';

export interface TestPlace {
  /** Top folder of the checkout. */
  readonly top: string;
  /** Working directory, in the checkout. */
  readonly cwd: string;
  /** Folders with the programs of the installed dependencies. */
  readonly bin: readonly string[];
  /** Folders to put on PATH, with the programs that the set-up needs. */
  readonly tools: readonly string[];
  /** Variables that point to what the set-up downloaded. */
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * `env` is the environment of the user who started Dure; only a few variables are passed on. HOME is one of them
 * because toolchains may be below it; the process that runs the command replaces it with an empty folder.
 */
export function testEnvironment(place: TestPlace, env: Env): Record<string, string> {
  return {
    PATH: [...new Set([...place.bin, ...binFolders(place), ...place.tools])].join(delimiter),
    ...toolchainVariables(env),
    ...(env['HOME'] && { HOME: env['HOME'] }),
    LANG: env['LANG'] || 'C.UTF-8',
    TERM: 'dumb',
    CI: 'true',
    NO_COLOR: '1',
    // Runs are compared, so each must run all tests, even if some of them fail.
    PYTEST_ADDOPTS: PYTEST_RUN_ALL,
    ...place.variables,
    ...marksIn(env),
  };
}

/** Variables that mark the processes of a launch, so that they can be found and killed if its runner was killed. */
const marksIn = (env: Env): Record<string, string> =>
  Object.fromEntries(LAUNCH_MARKS.flatMap(name => (env[name] ? [[name, env[name]]] : [])));

/** Program folders of the checkout's packages, nearest first, in the order that package managers use. */
function binFolders({ top, cwd }: Pick<TestPlace, 'top' | 'cwd'>): string[] {
  const folders: string[] = [];
  for (let dir = cwd; ; dir = dirname(dir)) {
    folders.push(join(dir, 'node_modules', '.bin'), join(dir, '.venv', 'bin'));
    if (dir === top || dir === dirname(dir)) return folders;
  }
}
