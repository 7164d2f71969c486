import { Args } from '@oclif/core';
import { BaseCommand } from '../terminal/base-command.ts';
import { SHELLS, scriptFor } from '../terminal/completion/completion-scripts.ts';

export default class Completion extends BaseCommand<typeof Completion> {
  static override summary = 'Print a completion script for commands, flags and run ids.';
  static override examples = [
    { command: 'source <(<%= config.bin %> completion bash)', description: 'Add to ~/.bashrc.' },
    {
      command: 'source <(<%= config.bin %> completion zsh)',
      description: 'Add to ~/.zshrc, after compinit.',
    },
    {
      command: '<%= config.bin %> completion fish > ~/.config/fish/completions/dure.fish',
      description: 'For fish, run this once.',
    },
  ];
  static override args = {
    shell: Args.string({
      required: true,
      ignoreStdin: true,
      options: [...SHELLS],
      description: 'Your shell.',
    }),
  };

  async run() {
    const shell = SHELLS.find(one => one === this.args.shell)!;
    const script = scriptFor(shell, this.config.bin);
    if (!this.jsonEnabled()) process.stdout.write(script);
    return { shell, script };
  }
}
