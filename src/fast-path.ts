/**
 * The entry point of every `dure` call. `--version`, completion and `status --json` are answered without loading oclif
 * or any package; the output is byte-identical to that of the command.
 */
import { arch, platform, userInfo } from 'node:os';
import { isEligible } from './terminal/fast-path/is-fast-path-enabled.ts';

declare const __DURE_VERSION__: string;

/** Answers the call if it can. Returns false, without printing anything, if the command itself has to run. */
export async function answered(argv: readonly string[] = process.argv.slice(2)): Promise<boolean> {
  nameUnknownUser();
  if (!isEligible(process.env)) return false;
  process.stdout.on('error', reportOutputError);
  const [command, ...rest] = argv;
  if (argv.length === 1 && ['--version', '-V'].includes(command!)) {
    process.stdout.write(`dure/${__DURE_VERSION__} ${platform()}-${arch()} node-${process.version}\n`);
    return true;
  }
  if (command !== '__complete' && !(command === 'status' && rest.includes('--json'))) return false;
  const { answer } = await import('./terminal/fast-path/run-fast-command.ts');
  const text = await answer(command, rest);
  if (text !== null) process.stdout.write(text);
  return text !== null;
}

/** Handles output errors as other commands do, but without loading their messages. A closed pipe is not a failure. */
function reportOutputError({ code, message }: NodeJS.ErrnoException): void {
  if (code === 'EPIPE') return;
  process.exitCode = 1;
  process.stderr.write(`Error: standard output could not be written: ${message}.\n`);
}

/**
 * Sets SHELL and HOME if they are unset and the user id has no account, as in containers: oclif and Node would query
 * the system for them and fail.
 */
function nameUnknownUser(): void {
  if (process.env['SHELL'] && process.env['HOME']) return;
  try {
    userInfo();
  } catch {
    process.env['SHELL'] ??= '/bin/sh';
    process.env['HOME'] ??= '/';
  }
}
