import { Args, Flags } from '@oclif/core';
import { BaseCommand } from '../base-command.ts';
import { leaveApproval } from '../core/wishes.ts';
import { dureError } from '../errors.ts';
import type { EventOf, RunEvent } from '../formats/events.ts';
import { load } from '../formats/file.ts';
import { type Wish, wishFiles } from '../formats/wish.ts';
import { looks } from '../terminal/follow.ts';
import { outcomeOf, problemOf } from '../terminal/outcome.ts';
import { paint } from '../terminal/paint.ts';
import { untilSignal } from '../terminal/signals.ts';
import { words } from '../words/cli/words.ts';

export default class Approve extends BaseCommand<typeof Approve> {
  static override summary = 'Approve the pack of a run: merge exactly what was shown.';
  static override description =
    'Exit status 4: it was refused, and nothing was changed; the message says why. A file that was written already and could not be put back is named in it: approve again to finish.';
  static override args = {
    run: Args.string({ ignoreStdin: true, description: 'Run id. Default: the newest run.' }),
  };
  static override flags = {
    tree: Flags.string({
      helpValue: 'SHA',
      description: 'The tree you saw; refused when the pack has another.',
    }),
    how: Flags.option({ options: ['merge', 'branch', 'pr'] as const })({
      default: 'merge',
      description: 'Merge into the branch you are on, only leave the branch, or open a pull request.',
    }),
  };

  async run() {
    const chosen = await this.chosen(this.args.run);
    const { project, files, state } = chosen;
    // Counted before the word is left: whoever drives may take it up at once.
    const before = state.seq;
    await leaveApproval(files, state, this.flags.tree, this.flags.how, () => this.leaveEnvironment(chosen));
    const wish = (await load(wishFiles.approve, files.wish('approve'))) as Wish<'approve'>;
    await this.ensureDriver(project, files);
    const left = await untilSignal(async signal => {
      let seen = 0;
      for await (const look of looks(files, signal)) {
        const fresh = look.events.slice(Math.max(0, before - seen));
        seen += look.events.length;
        const verdict = fresh.find(event => isAnswer(event, wish));
        if (verdict || problemOf(look.state)) return { verdict, state: look.state };
      }
      return null;
    });
    if (!left) return { run_id: state.run_id };
    this.known = outcomeOf(left.state);
    if (left.verdict?.type === 'approval.refused')
      throw dureError('E_MERGE', { why: left.verdict.reason, branch: `dure/${state.run_id}` });
    const problem = problemOf(left.state);
    if (problem) throw problem;
    const completed = left.verdict as EventOf<'run.completed'>;
    this.log(`${paint('green', '✔')} ${state.run_id}: ${words().event(completed)}`);
    const { how, merged, into, commit, tree } = completed;
    return { ...this.known, how, merged, into, commit, tree };
  }
}

const isAnswer = (event: RunEvent, wish: Wish<'approve'>): boolean =>
  event.type === 'run.completed' || (event.type === 'approval.refused' && event.asked_at === wish.asked_at);
