import { Args, Flags } from '@oclif/core';
import { BaseCommand } from '../base-command.ts';
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
      description: 'In your own words.',
    },
  ];
  static override args = {
    run: Args.string({ ignoreStdin: true, description: 'Run id. Default: the newest run.' }),
  };
  static override flags = {
    crp: Flags.string({ helpValue: 'ID', description: 'The question that is meant, to be sure.' }),
    decision: Flags.string({ char: 'd', helpValue: 'ID', description: 'The option you take, or OTHER.' }),
    rationale: Flags.string({
      char: 'r',
      helpValue: 'TEXT',
      description: 'Why, for the agents and for the record.',
    }),
    notes: Flags.string({ helpValue: 'TEXT', description: 'Anything else the agents should know.' }),
    future: Flags.boolean({ default: false, description: 'Keep it as a decision for later runs too.' }),
    yes: Flags.boolean({
      default: false,
      char: 'y',
      exclusive: ['decision'],
      description: 'Take what is recommended.',
    }),
  };

  async run() {
    const chosen = await this.chosen(this.args.run);
    const { files, state } = chosen;
    const crp = await openQuestion(files, state, this.flags.crp);
    this.known = { run_id: state.run_id, crp };
    const vcr = await this.decide(files, crp, () => this.leaveEnvironment(chosen));
    await this.delivered(chosen, look => look.state.pending_crp !== crp.crp_id);
    this.log(words().goesOn(state.run_id, paint('cyan', `dure watch ${state.run_id}`)));
    return { run_id: state.run_id, vcr };
  }

  private async decide(files: RunFiles, crp: Crp, before: Before): Promise<Vcr> {
    const { rationale, notes, future, yes } = this.flags;
    const decision = this.flags.decision ?? (yes ? crp.recommendation : undefined);
    if (decision !== undefined) {
      const more = { ...(rationale !== undefined && { rationale }), ...(notes !== undefined && { notes }) };
      return leaveAnswer(files, crp, { decision, ...more, appliesToFuture: future }, before);
    }
    const there = isInteractive() && !this.jsonEnabled() && !yes;
    const vcr = there ? await untilSignal(signal => askPerson(files, crp, signal, before)) : null;
    if (vcr) return vcr;
    if (!there) this.log(questionView(crp, columns()));
    throw dureError('E_NO_ANSWER', { crp: crp.crp_id });
  }
}
