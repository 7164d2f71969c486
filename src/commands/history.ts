import { Flags } from '@oclif/core';
import { BaseCommand } from '../base-command.ts';
import { history, historyView, LISTED } from '../terminal/history.ts';
import { columns } from '../terminal/text.ts';

const PHASES = [
  'refine',
  'build',
  'verify',
  'gate',
  'waiting_human',
  'ready_for_merge',
  'completed',
  'failed',
  'stopped',
  'interrupted',
] as const;

export default class History extends BaseCommand<typeof History> {
  static override summary = 'Runs of this project, newest first.';
  static override flags = {
    limit: Flags.integer({ char: 'n', min: 1, default: LISTED, description: 'How many.' }),
    state: Flags.option({ options: PHASES })({ description: 'Only runs in this phase.' }),
  };

  async run() {
    const { limit, state = null } = this.flags;
    const runs = await history(await this.project(), limit, state);
    if (!this.jsonEnabled()) this.log(historyView(runs, columns()));
    return { runs };
  }
}
