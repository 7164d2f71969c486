/**
 * Parses venv and pip commands that install only the project, requirement files, dependency groups and packages
 * named on the command line. This module is pure.
 */

export interface PipRequest {
  /** Whether to install the project itself, always in editable mode. */
  readonly editable: boolean;
  readonly extras: readonly string[];
  readonly groups: readonly string[];
  /** Paths of requirement files. */
  readonly requirements: readonly string[];
  /** Requirements given on the command line. */
  readonly others: readonly string[];
}

/** The project in the current folder, optionally with extras. */
const PROJECT = /^\.\/?(?:\[([\w,.-]*)\])?$/;

/** Null if the commands do anything that a `PipRequest` cannot describe. */
export function pipRequest(commands: readonly (readonly string[])[]): PipRequest | null {
  const [first, ...rest] = commands;
  if (first === undefined || !/^python3? -m venv (\.\/)?\.venv$/.test(first.join(' '))) return null;
  const request = {
    editable: false,
    extras: [] as string[],
    groups: [] as string[],
    requirements: [] as string[],
    others: [] as string[],
  };
  for (const words of rest) {
    const line = words.join(' ');
    const install = /^(\.\/)?\.venv\/bin\/(python3? -m pip|pip3?) install /.exec(line);
    if (!install) return null;
    const args = words.slice(words.indexOf('install') + 1);
    if (args.join(' ').replace('-U', '--upgrade') === '--upgrade pip') continue;
    for (let at = 0; at < args.length; at++) {
      const word = args[at]!;
      const value = args[at + 1];
      const project = PROJECT.exec(/^(-e|--editable)$/.test(word) ? (value ?? '') : word);
      if (project) {
        if (word !== project[0]) at++;
        request.editable = true;
        request.extras.push(...(project[1]?.split(',').filter(Boolean) ?? []));
      } else if (/^(-r|--requirement|--group)$/.test(word)) {
        if (value === undefined) return null;
        at++;
        (word === '--group' ? request.groups : request.requirements).push(value);
      } else if (/^[A-Za-z]/.test(word) && !word.includes('/')) request.others.push(word);
      else return null;
    }
  }
  return request;
}

/** Options that take a path: if `.` follows one, pip does not install a copy of the project. */
const HAS_PATH =
  /^-(?:[cdefrt]|-(?:constraint|dest|editable|find-links|prefix|requirement|root|src|target))$/;

/** Adds `-e` to a command that installs a copy of the project; null for any other command. */
export function asEditable(words: readonly string[]): string[] | null {
  const start = words.indexOf('install');
  const at = words.findIndex((word, n) => n > start && PROJECT.test(word) && !HAS_PATH.test(words[n - 1]!));
  return start < 0 || at < 0 ? null : [...words.slice(0, at), '-e', ...words.slice(at)];
}
