/**
 * The environment of a runner. It is minimal, because the agent's environment is in the launch, and does not depend on
 * that of an old tmux server.
 */

const RUNNER = ['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'TZ', 'TERM', 'TMPDIR'];
const RUNNER_PREFIXES = ['LC_', 'XDG_'];

/** Locations and language only, no secrets, because these may appear in a command line. */
export const runnerEnvironment = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      (e): e is [string, string] =>
        e[1] !== undefined &&
        (RUNNER.includes(e[0]) || RUNNER_PREFIXES.some(prefix => e[0].startsWith(prefix))),
    ),
  );
