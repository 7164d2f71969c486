/** Parses venv and pip commands that install only what manifests and requirement files name. This module is pure. */

export interface PipRequest {
  /** Whether to install the project itself, in editable mode. */
  readonly editable: boolean;
  readonly extras: readonly string[];
  readonly groups: readonly string[];
  /** Paths of requirement files. */
  readonly requirements: readonly string[];
  /** Requirements given on the command line. */
  readonly others: readonly string[];
}

/** Null for any other commands. */
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
      if (/^(-e|--editable|-r|--requirement|--group)$/.test(word)) {
        if (value === undefined) return null;
        at++;
        const project = /^\.(?:\[([\w,.-]*)\])?$/.exec(value);
        if (word === '--group') request.groups.push(value);
        else if (word.startsWith('-r') || word === '--requirement') request.requirements.push(value);
        else if (project) {
          request.editable = true;
          request.extras.push(...(project[1]?.split(',').filter(Boolean) ?? []));
        } else return null;
      } else if (/^[A-Za-z]/.test(word) && !word.includes('/')) request.others.push(word);
      else return null;
    }
  }
  return request;
}
