/**
 * Makes a program a Linux "child subreaper", which adopts orphaned descendants. A process that left its session and
 * group and cleared its environment can then still be found when its launch ends. Node has no API for this, so a line
 * of Perl makes the system call and then executes the program; without Perl, the program runs unchanged.
 */
import { existsSync } from 'node:fs';

const PERL = '/usr/bin/perl';
/** System call numbers of prctl; 36 is PR_SET_CHILD_SUBREAPER. */
const PRCTL: Readonly<Record<string, number>> = { x64: 157, arm64: 167 };

export function underSubreaper(argv: readonly string[]): string[] {
  const number = PRCTL[process.arch];
  // If the program is missing, starting it must fail; Perl would start and hide that.
  const missing = [PERL, argv[0] ?? ''].some(path => !existsSync(path));
  if (process.platform !== 'linux' || number === undefined || missing) return [...argv];
  return [PERL, '-e', `syscall(${number}, 36, 1, 0, 0, 0), exec {$ARGV[0]} @ARGV`, ...argv];
}
