/** Runs a shell command in a sandbox. */

import { within } from '../abort-signals-and-timeouts.ts';
import type { Command, Outputs, Running } from '../shell-command-types.ts';
import { startBubblewrap } from './bubblewrap-process.ts';
import type { Bubblewrap } from './find-sandbox.ts';
import { confinedEnvironment, viewOf } from './sandbox-view-and-environment.ts';
import type { TemporaryHome } from './temporary-home.ts';

export function startSandboxed(
  { command, cwd, env, confinement }: Command,
  privateFolders: TemporaryHome,
  outputs: Outputs,
  sandbox: Bubblewrap,
): Running {
  const { child, exited, signal, end, began } = startBubblewrap(
    sandbox,
    viewOf(confinement, env, cwd, privateFolders),
    {
      argv: ['sh', '-c', command],
      env: confinedEnvironment(env),
      stdio: ['ignore', outputs.stdout, outputs.stderr],
    },
  );
  let spawnError: string | null = null;
  void exited.then(error => {
    if (error) spawnError = String(error);
  });
  return {
    exited,
    async terminate(grace_ms) {
      // A command that has not started needs no time to exit.
      if (signal('SIGTERM')) await within(grace_ms, exited);
    },
    end,
    result(errorOutput) {
      if (spawnError === null && child.exitCode !== null && !began())
        spawnError = `the sandbox: ${errorOutput}`;
      if (spawnError !== null) return { exit_code: null, signal: null, spawnError };
      return { exit_code: child.exitCode, signal: child.signalCode, spawnError };
    },
  };
}
