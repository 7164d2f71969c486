import { spawn } from 'node:child_process';
import { Args } from '@oclif/core';
import { BaseCommand } from '../base-command.ts';
import { isInteractive } from '../terminal/ask.ts';

export default class Open extends BaseCommand<typeof Open> {
  static override summary = 'Open the worktree of a run in your editor.';
  static override description =
    'Uses $VISUAL or $EDITOR. Without one, or in a pipe, it prints the folder: cd "$(<%= config.bin %> open)"';
  static override args = {
    run: Args.string({ ignoreStdin: true, description: 'Run id. Default: the newest run.' }),
  };

  async run() {
    const { files, state } = await this.chosen(this.args.run);
    const editor = process.env['VISUAL'] || process.env['EDITOR'];
    if (!editor || !isInteractive() || this.jsonEnabled()) this.log(files.worktree);
    else await edited(editor, files.worktree);
    return { run_id: state.run_id, worktree: files.worktree };
  }
}

/** The editor's name may come with arguments, so a shell reads it; the folder is handed over as it is. */
const edited = (editor: string, folder: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn('sh', ['-c', `${editor} "$@"`, 'sh', folder], { cwd: folder, stdio: 'inherit' });
    child.on('error', reject);
    child.on('close', () => resolve());
  });
