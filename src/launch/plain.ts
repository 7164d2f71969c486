/**
 * Whether a call is one that nothing can change but its arguments: no plugin of a person is installed, which may hook
 * into every command, and nobody asks for traces.
 */
import { readFileSync } from 'node:fs';
import { homedir, platform, release } from 'node:os';
import { join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** As oclif finds it. */
const dataDir = (env: Environment): string =>
  env['DURE_DATA_DIR'] ||
  join(env['XDG_DATA_HOME'] || join(env['HOME'] || homedir(), '.local/share'), 'dure');

export function isPlain(env: Environment): boolean {
  if (env['DURE_NO_FAST'] || env['DEBUG'] || env['NODE_ENV']) return false;
  // oclif has names of its own for these platforms and their folders.
  if (platform() === 'win32' || /microsoft/i.test(release())) return false;
  try {
    const { oclif } = JSON.parse(readFileSync(join(dataDir(env), 'package.json'), 'utf8'));
    return oclif.plugins.length === 0;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}
