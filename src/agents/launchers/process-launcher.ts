/**
 * Runs agents as plain child processes, each in its own session: they outlive the process that started them and do
 * not get its signals. The output that a pane would show is written to `logs/<role>.<launch>.log`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { runFiles } from '../../formats/layout.ts';
import { openForAppend } from '../../formats/open-file-for-append.ts';
import { makeFolder } from '../../formats/read-and-write-files.ts';
import type { Launcher } from './launcher-interface.ts';
import { runnerEnvironment } from './runner-environment.ts';
import { underSubreaper } from './subreaper.ts';

export interface ProcessLauncherOptions {
  readonly runDir: string;
  /** Path of the runner's script. */
  readonly runner: string;
  readonly node?: string;
}

export function processLauncher({
  runDir,
  runner,
  node = process.execPath,
}: ProcessLauncherOptions): Launcher {
  const files = runFiles(runDir);
  return {
    name: 'process',
    async open() {
      await makeFolder(files.logs);
    },
    async start({ role, launch }) {
      await makeFolder(files.logs);
      const log = await openForAppend(files.screen(role, launch));
      try {
        const [program, ...args] = underSubreaper([node, runner, runDir, String(launch)]);
        const child = spawn(program!, args, {
          cwd: runDir,
          detached: true,
          env: runnerEnvironment(),
          stdio: ['ignore', log.fd, log.fd],
        });
        await once(child, 'spawn');
        child.unref();
      } finally {
        await log.close();
      }
    },
    attach: () => null,
  };
}
