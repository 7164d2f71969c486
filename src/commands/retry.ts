import { Args } from '@oclif/core';
import { BaseCommand } from '../base-command.ts';
import { currentStep } from '../core/pipeline.ts';
import { leaveRetry } from '../core/wishes.ts';
import { outcomeOf } from '../terminal/outcome.ts';
import { words } from '../words/cli/words.ts';

export default class Retry extends BaseCommand<typeof Retry> {
  static override summary = 'End the agent at work and start it again.';
  static override description =
    'For one that is stuck. What it wrote stays for the next one to find; what it cost is counted.';
  static override args = {
    run: Args.string({ ignoreStdin: true, description: 'Run id. Default: the newest run.' }),
  };

  async run() {
    const run = await this.chosen(this.args.run);
    const before = run.state.wishes_done['retry'];
    await leaveRetry(run.files, run.state, undefined, () => this.leaveEnvironment(run));
    const now = await this.delivered(run, ({ state }) => state.wishes_done['retry'] !== before);
    this.log(words().retried(now.run_id, words().role(currentStep(now).role)));
    return outcomeOf(now);
  }
}
