import { Args, Flags } from '@oclif/core';
import { BaseCommand } from '../base-command.ts';
import { isOver } from '../core/evolve.ts';
import { leaveStop } from '../core/wishes.ts';
import { dureError } from '../errors.ts';
import { looks } from '../terminal/follow.ts';
import { outcomeOf } from '../terminal/outcome.ts';
import { untilSignal } from '../terminal/signals.ts';

const PATIENCE_MS = 60_000;

export default class Stop extends BaseCommand<typeof Stop> {
  static override summary = 'End a run. What it made stays where it is.';
  static override args = {
    run: Args.string({ ignoreStdin: true, description: 'Run id. Default: the newest run.' }),
  };
  static override flags = {
    reason: Flags.string({ default: '', helpValue: 'TEXT', description: 'Why, for the log.' }),
  };

  async run() {
    const { project, files, state } = await this.chosen(this.args.run);
    await leaveStop(files, state, this.flags.reason);
    await this.ensureDriver(project, files);
    const over = await untilSignal(async signal => {
      const either = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
      for await (const look of looks(files, either)) if (isOver(look.state)) return look.state;
      return null;
    });
    if (!over)
      throw dureError('E_WAIT_TIMEOUT', {
        run: state.run_id,
        seconds: PATIENCE_MS / 1000,
        phase: state.phase,
      });
    this.log(`${over.run_id} is ${over.phase}.`);
    return outcomeOf(over);
  }
}
