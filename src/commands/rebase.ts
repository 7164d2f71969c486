import { Flags } from '@oclif/core';
import { requestRebase } from '../core/run/requests/request-rebase.ts';
import { BaseCommand } from '../terminal/base-command.ts';
import { paint } from '../terminal/paint.ts';
import { RUN_ARGUMENT } from '../terminal/runs/run-argument.ts';
import { runResult } from '../terminal/runs/run-json-and-error.ts';
import { words } from '../words/cli/load-language.ts';

export default class Rebase extends BaseCommand<typeof Rebase> {
  static override summary = 'Rebase a result onto a branch that has moved, and test it again.';
  static override description =
    'Use this on a run that is ready to merge. The set-up, tests and checks run again and produce a new pack. The verdict is kept if the changes are the same and the results are as good as before. A conflict starts another iteration.';
  static override args = RUN_ARGUMENT;
  static override flags = {
    onto: Flags.string({
      helpValue: 'BRANCH',
      description: 'Branch or commit. Default: the branch the run started from.',
    }),
  };

  async run() {
    const run = await this.selectRun(this.args.run);
    const request = await requestRebase(run, this.flags.onto ?? null, this.sourceOf(run));
    const { now, event: rebased } = await this.waitForDecision(run, { kind: 'rebase', ...request });
    this.log(`${paint('green', '✔')} ${now.run_id}: ${words().event(rebased)}`);
    this.log(words().goesOn(now.run_id, paint('cyan', `dure watch ${now.run_id}`)));
    const { base, onto, same_patch, conflicts } = rebased;
    return { ...runResult(now), base, onto, same_patch, conflicts };
  }
}
