import { currentStep } from '../core/policy/pipeline/look-up-steps.ts';
import { requestRetry } from '../core/run/requests/write-requests.ts';
import { BaseCommand } from '../terminal/base-command.ts';
import { RUN_ARGUMENT } from '../terminal/runs/run-argument.ts';
import { runResult } from '../terminal/runs/run-json-and-error.ts';
import { words } from '../words/cli/load-language.ts';

export default class Retry extends BaseCommand<typeof Retry> {
  static override summary = 'End the running agent and start it again.';
  static override description =
    'Use this when an agent is stuck. Its files are kept for the next launch, and what it has cost so far still counts. An agent that is waiting for a rate limit to reset is started again immediately.';
  static override args = RUN_ARGUMENT;

  async run() {
    const run = await this.selectRun(this.args.run);
    const request = await requestRetry(run.files, run.state, undefined, this.sourceOf(run));
    const { now } = await this.waitForDecision(run, { kind: 'retry', ...request });
    this.log(words().retried(now.run_id, words().role(currentStep(now).role)));
    return runResult(now);
  }
}
