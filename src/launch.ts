/**
 * Where every call begins. The version is known by heart and a few questions are answered by a short way; everything
 * else is loaded as oclif does. What the short ways say is byte for byte what the long way would have said.
 */
import { writeSync } from 'node:fs';
import { arch, platform, userInfo } from 'node:os';
import { dirname } from 'node:path';
import { prepare } from './launch/code-cache.ts';
import { isPlain } from './launch/plain.ts';

declare const __DURE_VERSION__: string;

/** `binDir` is the folder of `run.js`. */
export async function launch(binDir: string): Promise<void> {
  const argv = process.argv.slice(2);
  const root = dirname(binDir);
  nameUnknownUser();
  if (asksVersion(argv) && isPlain(process.env)) {
    writeSync(1, `dure/${__DURE_VERSION__} ${platform()}-${arch()} node-${process.version}\n`);
    return;
  }
  if (hasShortWay(argv) && isPlain(process.env)) {
    const { answered } = await import('./launch/short-ways.ts');
    if (await answered(root, argv)) return;
  }
  prepare(root);
  await require('./cli.cjs').main(root);
}

/** oclif and Node ask the system for these when they are not set; it knows nothing of a user id that a container made up. */
function nameUnknownUser(): void {
  if (process.env['SHELL'] && process.env['HOME']) return;
  try {
    userInfo();
  } catch {
    process.env['SHELL'] ??= '/bin/sh';
    process.env['HOME'] ??= '/';
  }
}

const SHORT = ['status', 'history', 'logs', '__complete'];
const hasShortWay = ([command = '']: readonly string[]) => SHORT.includes(command);
const asksVersion = (argv: readonly string[]) => argv.length === 1 && ['--version', '-V'].includes(argv[0]!);
