/**
 * Builds the environment of a runner. It is minimal, because the launch contains the agent's own environment. It does
 * not depend on the environment of an old tmux server.
 */
import { pickVariables } from '../../process/pick-variables.ts';

const RUNNER = /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|TZ|TERM|TMPDIR|LC_.*|XDG_.*)$/;

/** Contains paths, the user name and the locale, but no secrets, because its values may appear on a command line. */
export const runnerEnvironment = (): Record<string, string> =>
  pickVariables(process.env, name => RUNNER.test(name));
