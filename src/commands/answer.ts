import { Args, Flags } from '@oclif/core';
import { BaseCommand } from '../base-command.ts';
import { amountOf } from '../core/answer.ts';
import { mayTakeRecommendation } from '../core/asking.ts';
import { type Before, leaveAnswer, openQuestion } from '../core/wishes.ts';
import { dureError } from '../errors.ts';
import type { Crp, Vcr } from '../formats/consultation.ts';
import type { RunFiles } from '../formats/layout.ts';
import { isInteractive } from '../terminal/ask.ts';
import { askPerson } from '../terminal/asking.ts';
import { paint } from '../terminal/paint.ts';
import { questionView } from '../terminal/question-view.ts';
import { untilSignal } from '../terminal/signals.ts';
import { columns } from '../terminal/text.ts';
import { words } from '../words/cli/words.ts';

export default class Answer extends BaseCommand<typeof Answer> {
  static override summary = 'Answer the question a run waits with.';
  static override examples = [
    { command: '<%= config.bin %> <%= command.id %>', description: 'Shows the question and asks.' },
    {
      command: '<%= config.bin %> <%= command.id %> --decision sqlite --rationale "No server to run"',
      description: 'For scripts.',
    },
    {
      command: '<%= config.bin %> <%= command.id %> --decision OTHER --rationale "Use a plain file"',
      description: 'In your own words. To a question of Dure itself they take the recommended way.',
    },
    {
      command: '<%= config.bin %> <%= command.id %> --decision raise --amount 5',
      description: 'More budget: $5 more. `--decision 5` says the same.',
    },
  ];
  static override args = {
    run: Args.string({ ignoreStdin: true, description: 'Run id. Default: the newest run.' }),
  };
  static override flags = {
    crp: Flags.string({ helpValue: 'ID', description: 'The question that is meant, to be sure.' }),
    decision: Flags.string({
      char: 'd',
      helpValue: 'ID',
      description: 'The option you take, OTHER, or an amount where more budget is asked for.',
    }),
    amount: Flags.string({ helpValue: 'USD', description: 'US dollars to grant, with --decision raise.' }),
    rationale: Flags.string({
      char: 'r',
      helpValue: 'TEXT',
      description: 'Your words for the agent that goes on. Alone they mean --decision OTHER.',
    }),
    notes: Flags.string({ helpValue: 'TEXT', description: 'Anything else the agents should know.' }),
    future: Flags.boolean({ default: false, description: 'Keep it as a decision for later runs too.' }),
    yes: Flags.boolean({
      default: false,
      char: 'y',
      exclusive: ['decision', 'amount'],
      description: 'Take what is recommended; once a run for each kind of question of Dure itself.',
    }),
  };

  async run() {
    const chosen = await this.chosen(this.args.run);
    const { files, state } = chosen;
    const crp = await openQuestion(files, state, this.flags.crp);
    this.known = { run_id: state.run_id, crp };
    const vcr = await this.decide(files, crp, mayTakeRecommendation(state), () =>
      this.leaveEnvironment(chosen),
    );
    await this.delivered(chosen, look => look.state.pending_crp !== crp.crp_id);
    this.log(words().goesOn(state.run_id, paint('cyan', `dure watch ${state.run_id}`)));
    return { run_id: state.run_id, vcr };
  }

  private async decide(files: RunFiles, crp: Crp, mayTake: boolean, before: Before): Promise<Vcr> {
    const { rationale, notes, future, yes, amount } = this.flags;
    const recommended = yes && mayTake ? crp.recommendation : undefined;
    const decision = this.flags.decision ?? recommended;
    if (decision !== undefined || amount !== undefined || (rationale !== undefined && !yes)) {
      const answer = {
        ...(decision !== undefined && { decision }),
        ...(rationale !== undefined && { rationale }),
        ...(notes !== undefined && { notes }),
        ...(amount !== undefined && { amount_usd: dollars(amount) }),
        ...(yes && { unattended: true }),
      };
      return leaveAnswer(files, crp, { ...answer, appliesToFuture: future }, before);
    }
    const there = isInteractive() && !this.jsonEnabled() && !yes;
    const vcr = there ? await untilSignal(signal => askPerson(files, crp, signal, before)) : null;
    if (vcr) return vcr;
    if (!there) this.log(questionView(crp, columns()));
    throw dureError('E_NO_ANSWER', { crp: crp.crp_id });
  }
}

function dollars(amount: string): number {
  const usd = amountOf(amount);
  if (usd === null) throw dureError('E_BUDGET', { budget: amount });
  return usd;
}
