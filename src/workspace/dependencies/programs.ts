/** Which package managers a person has: programs on PATH that can be run without fetching anything first. */
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The file that a name on PATH leads to, or null. Corepack's stand-ins do not count: they download the program from
 * elsewhere than the registry, and only when they are called.
 */
export function programOnPath(name: string, env: Environment): string | null {
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
