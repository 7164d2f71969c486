/** Asks a small program, such as `ps`, for something that it prints. */
import { pickVariables } from './pick-variables.ts';
import { runProgram } from './run-program.ts';

const LIMIT_MS = 10_000;

export interface ProgramOutputOptions {
  /** Default: `/`, because some programs run what they find in their folder. */
  readonly cwd?: string;
  /** Default: the environment of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Time limit in milliseconds. Default: ten seconds. */
  readonly limitMs?: number;
}

/**
 * Returns the trimmed output; null if the program is missing, fails, or is killed at the time limit. If it succeeds, but
 * leaves a process behind that keeps the output open, returns what has been printed by the time limit.
 */
export const programOutput = (
  program: string,
  args: readonly string[],
  { cwd = '/', env = process.env, limitMs = LIMIT_MS }: ProgramOutputOptions = {},
): Promise<string | null> =>
  runProgram(program, args, { cwd, env: pickVariables(env, () => true), limitMs }).then(
    ({ code, stdout }) => (code === 0 ? stdout.toString().trim() : null),
    () => null,
  );
