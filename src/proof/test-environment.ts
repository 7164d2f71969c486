/**
 * Builds the complete environment for a set-up, a test or a check. Only a few variables of the shell that started
 * Dure are passed on, so code written by an agent does not see keys and tokens.
 */
import { delimiter, dirname, join } from 'node:path';
import { inheritedEnvironment } from '../process/inherited-environment.ts';
import type { Env } from '../process/sandbox/toolchain.ts';

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

/** `env` is the environment of the user who started Dure. */
export function testEnvironment(place: TestPlace, env: Env): Record<string, string> {
  return {
    PATH: [...new Set([...place.bin, ...binFolders(place), ...place.tools])].join(delimiter),
    ...inheritedEnvironment(env),
    TERM: 'dumb',
    CI: 'true',
    NO_COLOR: '1',
    // Test runs are compared with each other, so each must run all tests, even if some of them fail.
    PYTEST_ADDOPTS: PYTEST_RUN_ALL,
    ...place.variables,
  };
}

/** Program folders of the checkout's packages, nearest first, in the order that package managers use. */
function binFolders({ top, cwd }: Pick<TestPlace, 'top' | 'cwd'>): string[] {
  const folders: string[] = [];
  for (let dir = cwd; ; dir = dirname(dir)) {
    folders.push(join(dir, 'node_modules', '.bin'), join(dir, '.venv', 'bin'));
    if (dir === top || dir === dirname(dir)) return folders;
  }
}
