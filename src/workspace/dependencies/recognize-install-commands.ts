/** Recognizes install commands that Dure can replace with an equivalent that uses its caches. This module is pure. */

import { committedYarnRelease } from './node/yarn-wrapper-script.ts';
import type { PackageManager } from './package-manager-interface.ts';

export interface InstallCommand {
  readonly family: PackageManager['family'];
  /** Package that npx would download each time, as an npm spec. */
  readonly tool: string | null;
  /** The command without npx. */
  readonly words: readonly string[];
  /** Whether the packages can be prepared once for all trees. */
  readonly isPrepared: boolean;
}

/** Null if the command is not a known install command. `isClassic` is true if `yarn` is Yarn 1. */
export function installCommandOf(words: readonly string[], isClassic: boolean): InstallCommand | null {
  const { tool, rest } = withoutNpx(words);
  const [program = '', verb = 'install', ...more] = rest;
  const family = familyOf(program, verb, more);
  if (family === null) return null;
  const isPrepared =
    (program === 'npm' && ['ci', 'install', 'i'].includes(verb)) || (program === 'yarn' && isClassic);
  const args = program === 'bun' ? [...rest, '--backend=copyfile'] : rest;
  return { family, tool, words: args, isPrepared };
}

/**
 * Separates a command from the npx that starts it, as in `npx --yes pnpm@9 install` or
 * `npx --yes --package @yarnpkg/cli-dist@4 yarn install`.
 */
export function withoutNpx(words: readonly string[]): { tool: string | null; rest: readonly string[] } {
  if (words[0] !== 'npx') return { tool: null, rest: words };
  const rest = words.slice(1).filter(word => word !== '--yes' && word !== '-y');
  if (rest[0] === '--package' || rest[0] === '-p') return { tool: rest[1] ?? null, rest: rest.slice(2) };
  const spec = rest[0] ?? '';
  const program = /^(pnpm|yarn|bun)(@|$)/.exec(spec)?.[1];
  return program ? { tool: spec, rest: [program, ...rest.slice(1)] } : { tool: null, rest: words };
}

function familyOf(program: string, verb: string, more: readonly string[]): PackageManager['family'] | null {
  const installs = ['install', 'i', 'ci'].includes(verb) && more.every(word => word.startsWith('-'));
  if (['npm', 'pnpm', 'yarn', 'bun'].includes(program)) return installs ? 'node' : null;
  if (committedYarnRelease([program, verb]) !== null)
    return ['install', undefined].includes(more[0]) ? 'node' : null;
  if (program === 'go') return verb === 'mod' && more[0] === 'download' ? 'go' : null;
  if (program === 'cargo') return verb === 'fetch' ? 'rust' : null;
  return isPython(program, verb, more) ? 'python' : null;
}

const isPython = (program: string, verb: string, more: readonly string[]): boolean =>
  (program === 'uv' && ['sync', 'pip'].includes(verb)) ||
  (/^python3?$/.test(program) && verb === '-m' && more[0] === 'venv') ||
  (/^(\.\/)?\.venv\/bin\/python3?$/.test(program) && verb === '-m' && more[0] === 'pip') ||
  (/^(\.\/)?\.venv\/bin\/pip3?$/.test(program) && verb === 'install');
