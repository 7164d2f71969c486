import { spawn } from 'node:child_process';
import { delimiter } from 'node:path';
import { Flags } from '@oclif/core';
import { BaseCommand, type SelectedRun } from '../terminal/base-command.ts';
import { isInteractive } from '../terminal/prompt-for-input.ts';
import { RUN_ARGUMENT } from '../terminal/runs/run-argument.ts';
import { words } from '../words/cli/load-language.ts';
import { keptRefs } from '../workspace/seal/keep-unsealed-edits.ts';

export default class Open extends BaseCommand<typeof Open> {
  static override summary = "Open a run's worktree in your editor, or a shell in a copy of its result.";
  static override description =
    'Uses $VISUAL or $EDITOR. Without one, or outside a terminal, prints the path, so this works: cd "$(<%= config.bin %> open)"';
  static override args = RUN_ARGUMENT;
  static override flags = {
    shell: Flags.boolean({
      description:
        'Start $SHELL in a copy of the sealed result with its dependencies installed. The copy is deleted when you exit the shell.',
    }),
  };

  async run() {
    const chosen = await this.selectRun(this.args.run);
    const { files, state } = chosen;
    const editor = process.env['VISUAL'] || process.env['EDITOR'];
    if (!this.flags.shell) this.logToStderr(words().open.notSealed(state.run_id, keptRefs(state.run_id)));
    if (this.flags.shell) await this.openShell(chosen);
    else if (!editor || !isInteractive() || this.jsonEnabled()) this.log(files.worktree);
    else await run('sh', ['-c', `${editor} "$@"`, 'sh', files.worktree], { cwd: files.worktree });
    return { run_id: state.run_id, worktree: files.worktree };
  }

  private async openShell({ project, files, state }: SelectedRun): Promise<void> {
    const { withResultCopy } = await import('../core/run/temporary-result-copy.ts');
    const onOutput = (chunk: Buffer) => void process.stderr.write(chunk);
    await withResultCopy({ project, files, state, onOutput }, async ({ place, problem }) => {
      if (problem !== null) this.logToStderr(words().open.setUpFailed(problem));
      this.logToStderr(words().open.shell(state.run_id, place.cwd));
      const PATH = [...place.bin, ...place.tools].join(delimiter);
      const env = { ...process.env, ...place.variables, PATH };
      await run(process.env['SHELL'] || 'sh', [], { cwd: place.cwd, env });
    });
  }
}

/** Ignores Ctrl-C while the program runs: the program handles it. */
async function run(
  program: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
): Promise<void> {
  const ignore = () => {};
  for (const name of SIGNALS) process.on(name, ignore);
  try {
    await new Promise<void>((resolve, reject) => {
      const child = spawn(program, args, { ...options, stdio: 'inherit' });
      child.on('error', reject);
      child.on('close', () => resolve());
    });
  } finally {
    for (const name of SIGNALS) process.off(name, ignore);
  }
}

const SIGNALS = ['SIGINT', 'SIGQUIT', 'SIGHUP'] as const;
