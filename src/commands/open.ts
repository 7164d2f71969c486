import { spawn } from 'node:child_process';
import { Args } from '@oclif/core';
import { BaseCommand } from '../terminal/base-command.ts';
import { isInteractive } from '../terminal/prompt.ts';

export default class Open extends BaseCommand<typeof Open> {
  static override summary = 'Open the worktree of a run in your editor.';
  static override description =
    'Uses $VISUAL or $EDITOR. Without one, or in a pipe, prints the path: cd "$(<%= config.bin %> open)"';
  static override args = {
    run: Args.string({ ignoreStdin: true, description: 'Run id. Default: the newest run.' }),
  };

  async run() {
    const { files, state } = await this.chosen(this.args.run);
    const editor = process.env['VISUAL'] || process.env['EDITOR'];
    if (!editor || !isInteractive() || this.jsonEnabled()) this.log(files.worktree);
    else await runEditor(editor, files.worktree);
    return { run_id: state.run_id, worktree: files.worktree };
  }
}

/** The editor may contain arguments, so a shell parses it; the folder is passed as a single argument. */
const runEditor = (editor: string, folder: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn('sh', ['-c', `${editor} "$@"`, 'sh', folder], { cwd: folder, stdio: 'inherit' });
    child.on('error', reject);
    child.on('close', () => resolve());
  });
