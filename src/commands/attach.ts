import { spawn } from 'node:child_process';
import { Args } from '@oclif/core';
import { BaseCommand } from '../base-command.ts';
import { readOptions } from '../core/run-store.ts';
import { dureError } from '../errors.ts';
import { isInteractive } from '../terminal/ask.ts';

export default class Attach extends BaseCommand<typeof Attach> {
  static override summary = 'Show the tmux panes of a run: its agents at work, a shell in the worktree.';
  static override description =
    'Ctrl-b d leaves, and the run goes on. In a pipe it prints the command of tmux. Runs that were started without tmux are watched with `dure watch` and `dure logs`.';
  static override args = {
    run: Args.string({ ignoreStdin: true, description: 'Run id. Default: the newest run.' }),
  };

  async run() {
    const { project, files, state } = await this.chosen(this.args.run);
    const run = state.run_id;
    if ((await readOptions(files))?.launcher !== 'tmux') throw dureError('E_NOT_IN_TMUX', { run });
    const [{ sessionsOf, attachArgv, attachCommand }, { socketOf }] = await Promise.all([
      import('../agents/launchers/tmux-sessions.ts'),
      import('../agents/launchers/tmux-client.ts'),
    ]);
    const session = (await sessionsOf(project.root)).find(one => one.run === run)?.name;
    if (session === undefined) throw dureError('E_NO_SESSION', { run, phase: state.phase });
    const socket = socketOf(project.root);
    const command = attachCommand(socket, session);
    if (!isInteractive() || this.jsonEnabled()) this.log(command);
    else process.exitCode = await attached(attachArgv(socket, session));
    return { run_id: run, session, command };
  }
}

/** A person may be inside another tmux already: theirs is not ours, and may be left out of account. */
function attached(argv: readonly string[]): Promise<number> {
  const { TMUX: _theirs, ...env } = process.env;
  const child = spawn('tmux', argv, { stdio: 'inherit', env });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', code => resolve(code ?? 1));
  });
}
