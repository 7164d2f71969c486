/**
 * Determines whether the fast path may be used: only if debug output is off and no plugins are installed,
 * because plugins may hook into every command.
 */
import { readFileSync } from 'node:fs';
import { homedir, platform, release } from 'node:os';
import { join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns Dure's data folder, determined as oclif does. */
const dataDir = (env: Environment): string =>
  env['DURE_DATA_DIR'] ||
  join(env['XDG_DATA_HOME'] || join(env['HOME'] || homedir(), '.local/share'), 'dure');

export function isEligible(env: Environment): boolean {
  if (env['DURE_NO_FAST'] || env['DEBUG'] || env['NODE_ENV']) return false;
  // On these systems oclif uses other folders.
  if (platform() === 'win32' || /microsoft/i.test(release())) return false;
  try {
    const { oclif } = JSON.parse(readFileSync(join(dataDir(env), 'package.json'), 'utf8'));
    return oclif.plugins.length === 0;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}
