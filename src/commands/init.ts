import { Flags } from '@oclif/core';
import { BaseCommand } from '../base-command.ts';
import { dureError } from '../errors.ts';
import type { ProjectFiles } from '../formats/layout.ts';
import { findProject } from '../project.ts';
import { isInteractive } from '../terminal/ask.ts';
import { paint } from '../terminal/paint.ts';
import { consentHint, setUp } from '../terminal/set-up.ts';

export default class Init extends BaseCommand<typeof Init> {
  static override summary = 'Make this project ready for Dure.';
  static override description =
    'Writes the configuration files that are missing under .dure/config and asks once for the word without which agents are not started. May be repeated: what is there stays as it is.';
  static override examples = [
    { command: '<%= config.bin %> <%= command.id %>', description: 'Set up, with one question.' },
    { command: '<%= config.bin %> <%= command.id %> --yes --allow-bypass', description: 'For scripts.' },
  ];
  static override flags = {
    yes: Flags.boolean({
      default: false,
      char: 'y',
      description: 'Ask nothing. Agents are not allowed unless --allow-bypass says so.',
    }),
    'allow-bypass': Flags.boolean({
      allowNo: true,
      description: 'Your word that agents may work without permission prompts in this project.',
    }),
    backend: Flags.string({ description: 'Coding-agent CLI that plays the roles.', helpValue: 'NAME' }),
  };

  async run() {
    const plugins = await this.plugins();
    const { backend } = this.flags;
    const known = plugins.backends.map(b => b.name);
    if (backend !== undefined && !known.includes(backend))
      throw dureError('E_BACKEND_UNKNOWN', { name: backend, known: known.join(', ') });
    const ready = await setUp(await this.root(), {
      bypass: this.flags['allow-bypass'],
      backend,
      mayAsk: isInteractive() && !this.flags.yes && !this.jsonEnabled(),
      plugins: Object.keys(plugins.configShapes),
    });
    const { project, written } = ready;
    this.log(
      written.length > 0
        ? `${paint('green', '✔')} Written: ${written.map(name => `.dure/config/${name}.json`).join(', ')}`
        : `${paint('green', '✔')} This project is set up already: ${project.dure}`,
    );
    if (!ready.bypass && ready.backend !== 'rehearsal') this.log(`${paint('yellow', '!')} ${consentHint}`);
    this.log('\nNext: dure start "what should be done"     (or see a whole run first: dure demo)');
    return { project: project.root, written, allow_bypass: ready.bypass, backend: ready.backend };
  }

  /** Below a project that is set up, it is that one which is meant. */
  private async root(): Promise<string> {
    const above: ProjectFiles | null = await findProject(this.where).catch(() => null);
    return above?.root ?? this.where;
  }
}
