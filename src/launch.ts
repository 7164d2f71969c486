/**
 * Where every call begins. It knows one answer by heart, the version, and loads the commands for all else;
 * what it says is byte for byte what they would have said.
 */
import { writeSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { dirname } from 'node:path';

declare const __DURE_VERSION__: string;

/** `binDir` is the folder of `run.js`. */
export function launch(binDir: string): void {
  const argv = process.argv.slice(2);
  const asksVersion = argv.length === 1 && ['--version', '-V'].includes(argv[0]!);
  if (asksVersion && !process.env['DURE_NO_FAST']) {
    writeSync(1, `dure/${__DURE_VERSION__} ${platform()}-${arch()} node-${process.version}\n`);
    return;
  }
  void import('./cli.ts').then(({ main }) => main(dirname(binDir)));
}
