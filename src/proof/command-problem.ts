/** Explains to the user why a command could not run. Pure. */
import { constants } from 'node:os';
import type { CommandEnd } from '../process/shell-command-types.ts';

export const TIME_LIMIT = 'the command did not end within its time limit';
const NOT_EXECUTABLE = 126;
const NOT_FOUND = 127;

/** Null if the command ran to completion, even if it failed. */
export function problemOfEnd({ exit_code: code, signal, timedOut, spawnError }: CommandEnd): string | null {
  if (spawnError !== null) return `the command could not be started: ${spawnError}`;
  if (timedOut) return TIME_LIMIT;
  if (code === null) return `the command was killed by ${signal ?? 'a signal'}`;
  if (code === NOT_FOUND) return 'a command was not found (exit code 127)';
  return code === NOT_EXECUTABLE ? 'a command could not be executed (exit code 126)' : null;
}

/** Null unless a signal killed the command: if signal n did, a shell or a sandbox exits with 128 + n. */
export function signalProblem(code: number | null): string | null {
  const signal = Object.entries(constants.signals).find(([, number]) => number + 128 === code)?.[0];
  return signal === undefined ? null : `the command was killed by ${signal}`;
}
