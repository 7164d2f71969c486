/** Finds package managers on PATH that run without a download. */
import { accessSync, constants, readFileSync, realpathSync, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { programOutput } from '../../process/program-output.ts';

export type ProgramEnvironment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the file of a program on PATH, or null. Corepack's shims do not count: they download the program only when
 * called, and not from the user's registry.
 */
export function programOnPath(name: string, env: ProgramEnvironment): string | null {
  for (const folder of (env['PATH'] ?? '').split(delimiter)) {
    if (folder === '') continue;
    const file = join(folder, name);
    if (isProgram(file)) return realpathSync(file).includes('corepack') ? null : file;
  }
  return null;
}

/** Reads the version of a program from its Node package, without running the program. Null if there is none. */
export function versionOnPath(name: string, env: ProgramEnvironment): string | null {
  const file = programOnPath(name, env);
  if (file === null) return null;
  for (let folder = dirname(realpathSync(file)); folder !== dirname(folder); folder = dirname(folder)) {
    const found = packageIn(folder);
    if (found) return found.name === name && typeof found.version === 'string' ? found.version : null;
  }
  return null;
}

function packageIn(folder: string): { name?: unknown; version?: unknown } | null {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  } catch {
    return null;
  }
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Runs a program and returns what it prints, such as its version; `none` if it fails. */
export const printedBy = async (
  program: string,
  args: readonly string[],
  env: ProgramEnvironment,
): Promise<string> => (await programOutput(program, args, { env, limitMs: 30_000 })) ?? 'none';
