/** Finds the installed package managers: programs on PATH that run without a download. */
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export type ProgramEnvironment = Readonly<Record<string, string | undefined>>;

/**
 * The file of a program on PATH, or null. Corepack's shims do not count: they download the program only when called, and
 * not from the person's registry.
 */
export function programOnPath(name: string, env: ProgramEnvironment): string | null {
  for (const folder of (env['PATH'] ?? '').split(delimiter)) {
    if (folder === '') continue;
    const file = join(folder, name);
    if (isProgram(file)) return realpathSync(file).includes('corepack') ? null : file;
  }
  return null;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
