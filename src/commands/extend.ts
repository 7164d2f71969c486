import { Args, Flags } from '@oclif/core';
import { BaseCommand } from '../base-command.ts';
import { currentStep } from '../core/pipeline.ts';
import { leaveExtend } from '../core/wishes.ts';
import { dureError } from '../errors.ts';
import { spanOf } from '../housekeeping/plan.ts';
import { outcomeOf } from '../terminal/outcome.ts';
import { duration } from '../terminal/words.ts';
import { words } from '../words/cli/words.ts';

export default class Extend extends BaseCommand<typeof Extend> {
  static override summary = 'Give the agent at work more time.';
  static override args = {
    run: Args.string({ ignoreStdin: true, description: 'Run id. Default: the newest run.' }),
  };
  static override flags = {
    by: Flags.string({ default: '10m', helpValue: 'SPAN', description: 'How much more, such as 10m or 1h.' }),
  };

  async run() {
    const ms = spanOf(this.flags.by);
    if (!ms || ms > LONGEST_MS) throw dureError('E_SPAN', { span: this.flags.by });
    const run = await this.chosen(this.args.run);
    const before = run.state.wishes_done['extend'];
    await leaveExtend(run.files, run.state, ms);
    const now = await this.delivered(run, ({ state }) => state.wishes_done['extend'] !== before);
    this.log(words().extended(now.run_id, words().role(currentStep(now).role), duration(ms)));
    return outcomeOf(now);
  }
}

/** A day, as on the pages. */
const LONGEST_MS = 86_400_000;
