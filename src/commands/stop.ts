import { Args, Flags } from '@oclif/core';
import { BaseCommand } from '../base-command.ts';
import { isOver } from '../core/evolve.ts';
import { leaveStop } from '../core/wishes.ts';
import { outcomeOf } from '../terminal/outcome.ts';
import { phaseWord } from '../terminal/words.ts';
import { words } from '../words/cli/words.ts';

export default class Stop extends BaseCommand<typeof Stop> {
  static override summary = 'End a run. What it made stays where it is.';
  static override args = {
    run: Args.string({ ignoreStdin: true, description: 'Run id. Default: the newest run.' }),
  };
  static override flags = {
    reason: Flags.string({ default: '', helpValue: 'TEXT', description: 'Why, for the log.' }),
  };

  async run() {
    const run = await this.chosen(this.args.run);
    await leaveStop(run.files, run.state, this.flags.reason);
    const over = await this.delivered(run, ({ state }) => isOver(state));
    this.log(words().isNow(over.run_id, phaseWord(over.phase)));
    return outcomeOf(over);
  }
}
