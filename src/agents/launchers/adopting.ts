/**
 * Makes a program the parent of all that its children leave behind, as Linux offers it ("child subreaper"). A process
 * that gave up its session, its group and its environment is then still found when its launch ends. Node has no call
 * for it, so a line of Perl, which is nearly everywhere, makes it and becomes the program; without Perl nothing changes.
 */
import { existsSync } from 'node:fs';

const PERL = '/usr/bin/perl';
/** Numbers of the system call prctl; 36 is PR_SET_CHILD_SUBREAPER. */
const PRCTL: Readonly<Record<string, number>> = { x64: 157, arm64: 167 };

export function adopting(argv: readonly string[]): string[] {
  const number = PRCTL[process.arch];
  // A program that is not there is to be missed where it is started.
  const missing = [PERL, argv[0] ?? ''].some(path => !existsSync(path));
  if (process.platform !== 'linux' || number === undefined || missing) return [...argv];
  return [PERL, '-e', `syscall(${number}, 36, 1, 0, 0, 0), exec {$ARGV[0]} @ARGV`, ...argv];
}
