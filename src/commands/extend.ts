import { Flags } from '@oclif/core';
import { currentStep } from '../core/policy/pipeline/look-up-steps.ts';
import { requestExtend } from '../core/run/requests/write-requests.ts';
import { MAX_TIME_LIMIT_MS } from '../formats/schema/common-fields.ts';
import { BaseCommand } from '../terminal/base-command.ts';
import { durationText } from '../terminal/format-times-and-costs.ts';
import { spanOf } from '../terminal/parse-flag-values.ts';
import { RUN_ARGUMENT } from '../terminal/runs/run-argument.ts';
import { runResult } from '../terminal/runs/run-json-and-error.ts';
import { words } from '../words/cli/load-language.ts';

export default class Extend extends BaseCommand<typeof Extend> {
  static override summary = 'Give the running agent more time.';
  static override args = RUN_ARGUMENT;
  static override flags = {
    by: Flags.string({
      default: '10m',
      helpValue: 'SPAN',
      description: 'Additional time, such as 10m or 1h, at most 24h.',
    }),
  };

  async run() {
    const ms = spanOf(this.flags.by, RANGE);
    const run = await this.selectRun(this.args.run);
    const request = await requestExtend(run.files, run.state, ms);
    const { now } = await this.waitForDecision(run, { kind: 'extend', ...request });
    this.log(words().extended(now.run_id, words().role(currentStep(now).role), durationText(ms)));
    return runResult(now);
  }
}

const RANGE = { min: '1s', max: `${MAX_TIME_LIMIT_MS / 3_600_000}h` };
