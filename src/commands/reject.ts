import { Flags } from '@oclif/core';
import { requestChanges } from '../core/run/requests/request-changes.ts';
import { dureError } from '../errors.ts';
import type { Feedback } from '../formats/requests-and-feedback.ts';
import { BaseCommand } from '../terminal/base-command.ts';
import { paint } from '../terminal/paint.ts';
import { RUN_ARGUMENT } from '../terminal/runs/run-argument.ts';
import { words } from '../words/cli/load-language.ts';

export default class Reject extends BaseCommand<typeof Reject> {
  static override summary = 'Request changes: start another iteration with your feedback.';
  static override description =
    'Your feedback and each comment become acceptance criteria of the next iteration: FB-1.1, FB-1.2, and so on.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --feedback "Keep the old flag working" --comment "src/cli.js:12:this breaks --quiet"',
  ];
  static override args = RUN_ARGUMENT;
  static override flags = {
    feedback: Flags.string({ char: 'm', helpValue: 'TEXT', default: '', description: 'What to change.' }),
    comment: Flags.string({
      multiple: true,
      helpValue: 'FILE:LINE:TEXT',
      description: 'Comment on a line. Can be repeated.',
    }),
  };

  async run() {
    const chosen = await this.selectRun(this.args.run);
    const { state } = chosen;
    const comments = (this.flags.comment ?? []).map(commentOf);
    const way = this.sourceOf(chosen);
    await this.submitDecision(chosen, () => requestChanges(chosen, this.flags.feedback, comments, way));
    const feedback = state.feedbacks + 1;
    await this.waitForDecision(chosen, { kind: 'feedback', feedback });
    this.log(words().buildsAgain(state.run_id, paint('cyan', `dure watch ${state.run_id}`)));
    return { run_id: state.run_id, feedback, comments: comments.length };
  }
}

function commentOf(text: string): Feedback['comments'][number] {
  const [, file, line, comment] = /^(.+?):(\d+):([\s\S]+)$/.exec(text) ?? [];
  if (!file || !Number(line) || !comment?.trim()) throw dureError('E_COMMENT', { comment: text });
  return { file, line: Number(line), comment: comment.trim() };
}
