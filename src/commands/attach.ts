import { spawn } from 'node:child_process';
import { readOptions } from '../core/run/record/read-run-record.ts';
import { dureError } from '../errors.ts';
import { BaseCommand } from '../terminal/base-command.ts';
import { isInteractive } from '../terminal/prompt-for-input.ts';
import { RUN_ARGUMENT } from '../terminal/runs/run-argument.ts';

export default class Attach extends BaseCommand<typeof Attach> {
  static override summary = "Attach to a run's tmux session, with its agents and a shell in the worktree.";
  static override description =
    'Detach with Ctrl-b d; the run continues. When piped, prints the tmux command instead. For runs started without tmux, use `dure watch` and `dure logs`.';
  static override args = RUN_ARGUMENT;

  async run() {
    const { project, files, state } = await this.selectRun(this.args.run);
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
    else process.exitCode = await runTmux(attachArgv(socket, session));
    return { run_id: run, session, command };
  }
}

/** Runs tmux without TMUX in its environment: inside a session, tmux refuses to attach to another server. */
function runTmux(argv: readonly string[]): Promise<number> {
  const { TMUX: _theirs, ...env } = process.env;
  const child = spawn('tmux', argv, { stdio: 'inherit', env });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', code => resolve(code ?? 1));
  });
}
