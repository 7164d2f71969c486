import { Flags } from '@oclif/core';
import { requestStop } from '../core/run/requests/write-requests.ts';
import { BaseCommand } from '../terminal/base-command.ts';
import { phaseWord } from '../terminal/format-times-and-costs.ts';
import { RUN_ARGUMENT } from '../terminal/runs/run-argument.ts';
import { runResult } from '../terminal/runs/run-json-and-error.ts';
import { words } from '../words/cli/load-language.ts';

export default class Stop extends BaseCommand<typeof Stop> {
  static override summary = 'Stop a run. Its results are kept.';
  static override args = RUN_ARGUMENT;
  static override flags = {
    reason: Flags.string({ default: '', helpValue: 'TEXT', description: 'Reason, for the log.' }),
  };

  async run() {
    const run = await this.selectRun(this.args.run);
    const request = await requestStop(run.files, run.state, this.flags.reason);
    const { now: over } = await this.waitForDecision(run, { kind: 'stop', ...request });
    this.log(words().isNow(over.run_id, phaseWord(over.phase)));
    return runResult(over);
  }
}
