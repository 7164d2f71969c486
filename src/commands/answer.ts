import { Flags } from '@oclif/core';
import { mayTakeRecommendation } from '../core/policy/questions/dure-questions-and-answers.ts';
import { isOver } from '../core/policy/state/phase.ts';
import type { DecisionSource } from '../core/run/requests/decision-proof.ts';
import { openQuestion, writeAnswer } from '../core/run/requests/write-answer.ts';
import { dureError } from '../errors.ts';
import type { Crp, Vcr } from '../formats/crp-and-vcr.ts';
import type { RunFiles } from '../formats/layout.ts';
import type { RunState } from '../formats/state.ts';
import { answerQuestion } from '../terminal/answer-question.ts';
import { BaseCommand } from '../terminal/base-command.ts';
import { phaseWord } from '../terminal/format-times-and-costs.ts';
import { paint } from '../terminal/paint.ts';
import { dollarsOf } from '../terminal/parse-flag-values.ts';
import { isInteractive } from '../terminal/prompt-for-input.ts';
import { RUN_ARGUMENT } from '../terminal/runs/run-argument.ts';
import { untilSignal } from '../terminal/signals.ts';
import { columns, oneLineText } from '../terminal/text-layout.ts';
import { questionView } from '../terminal/views/question-view.ts';
import { words } from '../words/cli/load-language.ts';

export default class Answer extends BaseCommand<typeof Answer> {
  static override summary = 'Answer the question that a run is waiting on.';
  static override examples = [
    {
      command: '<%= config.bin %> <%= command.id %>',
      description: 'Show the question and prompt for an answer.',
    },
    {
      command: '<%= config.bin %> <%= command.id %> --decision sqlite --rationale "No server to run"',
      description: 'Answer from a script.',
    },
    {
      command: '<%= config.bin %> <%= command.id %> --decision OTHER --rationale "Use a plain file"',
      description:
        'Answer in your own words. For a question from Dure itself, this takes the recommended option, if there is one.',
    },
    {
      command: '<%= config.bin %> <%= command.id %> --decision raise --amount 5',
      description: 'Grant $5 more. Same as `--decision 5`.',
    },
  ];
  static override args = RUN_ARGUMENT;
  static override flags = {
    crp: Flags.string({
      helpValue: 'ID',
      description: 'Id of the question to answer. Fails if another question is open.',
    }),
    decision: Flags.string({
      char: 'd',
      helpValue: 'ID',
      description: 'Id or label of an option, OTHER, or an amount if the question is about the budget.',
    }),
    amount: Flags.string({ helpValue: 'USD', description: 'US dollars to grant, with --decision raise.' }),
    rationale: Flags.string({
      char: 'r',
      helpValue: 'TEXT',
      description: 'Reason, passed to the agent that continues. Without --decision it implies OTHER.',
    }),
    notes: Flags.string({ helpValue: 'TEXT', description: 'Additional notes for the agents.' }),
    future: Flags.boolean({ default: false, description: 'Record the answer as a decision for later runs.' }),
    yes: Flags.boolean({
      default: false,
      char: 'y',
      exclusive: ['decision', 'amount'],
      description:
        'Choose the recommended option. For questions from Dure itself, this works once per run for each kind of question.',
    }),
  };

  async run() {
    const chosen = await this.selectRun(this.args.run);
    const { files, state } = chosen;
    const crp = await openQuestion(files, state, this.flags.crp);
    this.partialResult = { run_id: state.run_id, crp };
    const way = this.sourceOf(chosen);
    const vcr = await this.submitDecision(chosen, () => this.decide(files, state, crp, way));
    if (vcr.by?.unsigned !== undefined)
      this.logToStderr(words().decisions.unsigned(oneLineText(vcr.by.unsigned)));
    const { now } = await this.waitForDecision(chosen, { kind: 'answer', ...vcr });
    this.log(
      isOver(now)
        ? words().isNow(now.run_id, phaseWord(now.phase))
        : words().goesOn(now.run_id, paint('cyan', `dure watch ${now.run_id}`)),
    );
    return { run_id: state.run_id, vcr };
  }

  private async decide(files: RunFiles, state: RunState, crp: Crp, way: DecisionSource): Promise<Vcr> {
    const { rationale, notes, future, yes, amount } = this.flags;
    const recommended = yes && mayTakeRecommendation(state) ? crp.recommendation : undefined;
    const decision = this.flags.decision ?? recommended;
    if (decision !== undefined || amount !== undefined || (rationale !== undefined && !yes)) {
      const answer = {
        decision,
        rationale,
        additional_notes: notes,
        amount_usd: amount === undefined ? undefined : dollarsOf(amount),
        applies_to_future: future,
        ...(yes && { unattended: true as const }),
      };
      return writeAnswer(files, state, crp, answer, way);
    }
    const there = isInteractive() && !this.jsonEnabled() && !yes;
    const vcr = there ? await untilSignal(signal => answerQuestion(files, state, crp, signal, way)) : null;
    if (vcr) return vcr;
    if (!there) this.log(questionView(crp, columns()));
    const mayTake = mayTakeRecommendation(state) && crp.recommendation !== undefined;
    throw dureError('E_NO_ANSWER', { crp: crp.crp_id, recommended: mayTake });
  }
}
