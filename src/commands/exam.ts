import { Flags } from '@oclif/core';
import { requestExam } from '../core/run/requests/write-requests.ts';
import { MAX_EXAM_S } from '../formats/schema/common-fields.ts';
import { BaseCommand } from '../terminal/base-command.ts';
import { paint } from '../terminal/paint.ts';
import { spanOf } from '../terminal/parse-flag-values.ts';
import { RUN_ARGUMENT } from '../terminal/runs/run-argument.ts';
import { runResult } from '../terminal/runs/run-json-and-error.ts';
import { words } from '../words/cli/load-language.ts';

export default class Exam extends BaseCommand<typeof Exam> {
  static override summary = 'Continue an exam that ran out of time.';
  static override description =
    'Use this on a run that is ready to merge. Does not repeat what was already tried. Creates a new pack; the verdict stands unless the tests no longer support it.';
  static override args = RUN_ARGUMENT;
  static override flags = {
    budget: Flags.string({
      default: '10m',
      helpValue: 'SPAN',
      description: 'Additional time, such as 10m, at most 1h.',
    }),
  };

  async run() {
    const ms = spanOf(this.flags.budget, RANGE);
    const run = await this.selectRun(this.args.run);
    const request = await requestExam(run.files, run.state, ms / 1000, this.sourceOf(run));
    const { now } = await this.waitForDecision(run, { kind: 'exam', ...request });
    this.log(words().goesOn(now.run_id, paint('cyan', `dure watch ${now.run_id}`)));
    return runResult(now);
  }
}

const RANGE = { min: '1s', max: `${MAX_EXAM_S / 3600}h` };
