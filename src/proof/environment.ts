/**
 * The whole environment of a set-up, a test or a check. Nothing else of the person's is handed on: keys and tokens in
 * the shell that started Dure are no business of code that an agent wrote.
 */
import { delimiter, dirname, join } from 'node:path';
import { LAUNCH_MARKS } from '../formats/launch.ts';
import { toolchainVariables } from '../process/toolchain.ts';

export interface Place {
  /** Top of the checkout. */
  readonly top: string;
  /** Working directory, in the checkout. */
  readonly cwd: string;
  /** Folders with programs of the installed dependencies. */
  readonly bin: readonly string[];
  /** Folders of PATH, see tool-path.ts. */
  readonly tools: readonly string[];
  /** Variables that lead to what the set-up fetched. */
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * `env` is that of the person, of which a few variables are handed on. HOME says where their tools are: who runs the
 * command gives it an empty one.
 */
export function testEnvironment(
  place: Place,
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return {
    PATH: [...new Set([...place.bin, ...binFolders(place), ...place.tools])].join(delimiter),
    ...toolchainVariables(env),
    ...(env['HOME'] && { HOME: env['HOME'] }),
    LANG: env['LANG'] || 'C.UTF-8',
    TERM: 'dumb',
    CI: 'true',
    NO_COLOR: '1',
    ...place.variables,
    ...marksIn(env),
  };
}

/** A launch whose runner was killed is ended by them. */
const marksIn = (env: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(LAUNCH_MARKS.flatMap(name => (env[name] ? [[name, env[name]]] : [])));

/** Programs of the checkout's own packages, nearest first, as package managers order them. */
export function binFolders({ top, cwd }: Pick<Place, 'top' | 'cwd'>): string[] {
  const folders: string[] = [];
  for (let dir = cwd; ; dir = dirname(dir)) {
    folders.push(join(dir, 'node_modules', '.bin'), join(dir, '.venv', 'bin'));
    if (dir === top || dir === dirname(dir)) return folders;
  }
}
