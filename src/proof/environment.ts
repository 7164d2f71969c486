/**
 * The whole environment of a set-up, a test or a check. Nothing else of the person's is handed on: keys and tokens in
 * the shell that started Dure are no business of code that an agent wrote. Pure.
 */
import { delimiter, dirname, join } from 'node:path';

export interface Place {
  /** Top of the checkout. */
  readonly top: string;
  /** Working directory, in the checkout. */
  readonly cwd: string;
  /** Folders of PATH, see tool-path.ts. */
  readonly tools: readonly string[];
  /** An empty folder. */
  readonly home: string;
  /** A fresh folder for temporary files. */
  readonly temporary: string;
}

/** `env` is that of the person, of which a few variables are handed on. */
export function testEnvironment(
  place: Place,
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return {
    PATH: [...binFolders(place), ...place.tools].join(delimiter),
    HOME: place.home,
    LANG: env['LANG'] || 'C.UTF-8',
    TERM: 'dumb',
    CI: 'true',
    NO_COLOR: '1',
    TMPDIR: place.temporary,
  };
}

/** Programs of the checkout's own packages, nearest first, as package managers order them. */
export function binFolders({ top, cwd }: Pick<Place, 'top' | 'cwd'>): string[] {
  const folders: string[] = [];
  for (let dir = cwd; ; dir = dirname(dir)) {
    folders.push(join(dir, 'node_modules', '.bin'), join(dir, '.venv', 'bin'));
    if (dir === top || dir === dirname(dir)) return folders;
  }
}
