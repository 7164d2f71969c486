import { Flags } from '@oclif/core';
import { OVER_PHASES, PERSON_PHASES } from '../core/policy/state/phase.ts';
import { BaseCommand } from '../terminal/base-command.ts';
import { HISTORY_LIMIT, historyRows } from '../terminal/runs/list-recent-runs.ts';
import { columns } from '../terminal/text-layout.ts';
import { historyView } from '../terminal/views/run-list-view.ts';

const PHASES = ['refine', 'build', 'verify', 'gate', ...PERSON_PHASES, ...OVER_PHASES];

export default class History extends BaseCommand<typeof History> {
  static override summary = 'List the runs of this project, newest first.';
  static override flags = {
    limit: Flags.integer({
      char: 'n',
      min: 1,
      default: HISTORY_LIMIT,
      description: 'Maximum number of runs to show.',
    }),
    state: Flags.string({ options: PHASES, description: 'Show only runs in this phase.' }),
  };

  async run() {
    const { limit, state = null } = this.flags;
    const runs = await historyRows(await this.project(), limit, state);
    if (!this.jsonEnabled()) this.log(historyView(runs, columns()));
    return { runs };
  }
}
