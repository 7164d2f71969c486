import { Args, Flags } from '@oclif/core';
import { BaseCommand } from '../base-command.ts';
import { isOver, isWorkedOn } from '../core/evolve.ts';
import { dureError } from '../errors.ts';
import type { RunState } from '../formats/state.ts';
import { stateWhen } from '../terminal/follow.ts';
import { outcomeOf, problemOf } from '../terminal/outcome.ts';
import { untilSignal } from '../terminal/signals.ts';
import { waitOf } from '../terminal/waits.ts';
import { phaseWord } from '../terminal/words.ts';
import { words } from '../words/cli/words.ts';

const REACHED = {
  human: (s: RunState) => !isWorkedOn(s.phase),
  done: (s: RunState) => isOver(s) || s.phase === 'interrupted',
} as const;

export default class Wait extends BaseCommand<typeof Wait> {
  static override summary = 'Wait until a run needs a person, or is over.';
  static override description =
    'Exit status: 0 completed, or (with --for human) it needs you; 1 failed, or the time is up; 5 stopped or interrupted.';
  static override examples = ['<%= config.bin %> <%= command.id %> --for human --timeout 3600'];
  static override args = {
    run: Args.string({ ignoreStdin: true, description: 'Run id. Default: the newest run.' }),
  };
  static override flags = {
    for: Flags.option({ options: ['human', 'done'] as const })({
      default: 'done',
      description: 'What to wait for.',
    }),
    timeout: Flags.integer({ min: 0, helpValue: 'SECONDS', description: 'Wait no longer than this.' }),
  };

  async run() {
    const { files, state } = await this.chosen(this.args.run);
    this.known = outcomeOf(state);
    const { timeout } = this.flags;
    const isThere = REACHED[this.flags.for];
    const patience = timeout === undefined ? null : timeout * 1000;
    let said: string | null = null;
    const reached = await untilSignal(signal =>
      stateWhen(
        files,
        ({ state: now }) => {
          if (isThere(now)) return true;
          const command = waitOf(now)?.command ?? null;
          if (command !== null && command !== said) this.logToStderr(words().waits(now.run_id, command));
          said = command;
          return false;
        },
        signal,
        patience,
      ),
    );
    if (!reached) {
      const { state: now } = await this.chosen(this.args.run);
      this.known = outcomeOf(now);
      throw dureError('E_WAIT_TIMEOUT', { run: now.run_id, seconds: timeout ?? 0, phase: now.phase });
    }
    this.known = outcomeOf(reached);
    await this.complaints(files);
    const problem = reached.phase === 'waiting_human' ? null : problemOf(reached);
    if (problem) throw problem;
    this.log(`${reached.run_id} ${phaseWord(reached.phase)}`);
    return this.known;
  }
}
