import { Flags } from '@oclif/core';
import { isOver, isWorkedOn } from '../core/policy/state/phase.ts';
import { dureError } from '../errors.ts';
import type { RunState } from '../formats/state.ts';
import { BaseCommand } from '../terminal/base-command.ts';
import { phaseWord } from '../terminal/format-times-and-costs.ts';
import { RUN_ARGUMENT } from '../terminal/runs/run-argument.ts';
import { runProblem, runResult } from '../terminal/runs/run-json-and-error.ts';
import { waitForState } from '../terminal/runs/wait-for-state-or-request.ts';
import { untilSignal } from '../terminal/signals.ts';
import { nextAction } from '../terminal/suggested-commands.ts';
import { words } from '../words/cli/load-language.ts';

const REACHED = {
  human: (s: RunState) => !isWorkedOn(s.phase),
  done: (s: RunState) => isOver(s) || s.phase === 'interrupted',
} as const;

export default class Wait extends BaseCommand<typeof Wait> {
  static override summary = 'Wait until a run is over or, with --for human, until it needs a person.';
  static override description =
    'Exit status: 0 completed, or (with --for human) waiting for you; 1 failed or timed out; 5 stopped or interrupted.';
  static override examples = ['<%= config.bin %> <%= command.id %> --for human --timeout 3600'];
  static override args = RUN_ARGUMENT;
  static override flags = {
    for: Flags.option({ options: ['human', 'done'] as const })({
      default: 'done',
      description: 'What to wait for.',
    }),
    timeout: Flags.integer({ min: 0, helpValue: 'SECONDS', description: 'Maximum time to wait.' }),
  };

  async run() {
    const { files, state } = await this.selectRun(this.args.run);
    this.partialResult = runResult(state);
    const { timeout } = this.flags;
    const isReached = REACHED[this.flags.for];
    const timeoutMs = timeout === undefined ? null : timeout * 1000;
    let shownCommand: string | null = null;
    const reached = await untilSignal(signal =>
      waitForState(
        files,
        snapshot => {
          this.reportSuspended(snapshot);
          const { state: now } = snapshot;
          if (isReached(now)) return true;
          const command = nextAction(now)?.command ?? null;
          if (command !== null && command !== shownCommand)
            this.logToStderr(words().waits(now.run_id, command));
          shownCommand = command;
          return false;
        },
        signal,
        timeoutMs,
      ),
    );
    if (!reached) {
      const { state: now } = await this.selectRun(state.run_id);
      this.partialResult = runResult(now);
      throw dureError('E_WAIT_TIMEOUT', { run: now.run_id, seconds: timeout ?? 0, phase: now.phase });
    }
    this.partialResult = runResult(reached);
    await this.reportDriverPluginProblems(files);
    const problem = reached.phase === 'waiting_human' ? null : runProblem(reached);
    if (problem) throw problem;
    this.log(`${reached.run_id} ${phaseWord(reached.phase)}`);
    return this.partialResult;
  }
}
