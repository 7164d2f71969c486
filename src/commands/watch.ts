import { openQuestion } from '../core/run/requests/write-answer.ts';
import { readState } from '../core/run/run-store.ts';
import type { RunFiles } from '../formats/layout.ts';
import { BaseCommand } from '../terminal/base-command.ts';
import { paint } from '../terminal/paint.ts';
import { type FollowOptions, followUntilIdle } from '../terminal/runs/follow-run-in-terminal.ts';
import { RUN_ARGUMENT } from '../terminal/runs/run-argument.ts';
import { runProblem, runResult } from '../terminal/runs/run-json-and-error.ts';
import type { Progress } from '../terminal/runs/run-progress.ts';
import type { RunSnapshot } from '../terminal/runs/watch-run-snapshots.ts';
import { whileRead } from '../terminal/signals.ts';
import { terminalBell } from '../terminal/terminal-bell.ts';
import { columns } from '../terminal/text-layout.ts';
import { readyScreen } from '../terminal/views/pack-views.ts';
import { answerWords, questionView } from '../terminal/views/question-view.ts';

export default class Watch extends BaseCommand<typeof Watch> {
  static override summary = 'Follow a run until it is ready to merge or has ended.';
  static override description =
    'Shows the same progress as `dure start`, but does not ask for answers. Each question is shown with the command that answers it; with --json, the command ends at the first question, with exit status 3. Ctrl-C stops following; the run continues.';
  static override args = RUN_ARGUMENT;

  async run() {
    const { project, files, state } = await this.selectRun(this.args.run);
    const bell = await terminalBell(project, files, new Date().toISOString());
    this.partialResult = { run_id: state.run_id };
    this.log(paint('bold', state.run_id));
    const progress = await this.progressOf(files);
    const shown = this.withCommands(files, progress);
    // A script learns of an open question only from the JSON result, which is printed at the end.
    const follow: FollowOptions = { progress: shown, ask: null, stopAtQuestion: this.jsonEnabled(), bell };
    const left =
      (await whileRead(signal => followUntilIdle(files, follow, signal))) ?? (await readState(files))!;
    this.partialResult = runResult(left);
    await this.reportDriverPluginProblems(files);
    if (left.phase === 'ready_for_merge') this.log(await readyScreen(files, left));
    const problem = runProblem(left);
    if (problem) throw problem;
    return this.partialResult;
  }

  /** Makes `progress` also show each question once, with the command that answers it. */
  private withCommands(files: RunFiles, progress: Progress): Progress {
    let shownQuestion: string | null = null;
    return {
      show: async (snapshot: RunSnapshot) => {
        await progress.show(snapshot);
        const { state } = snapshot;
        if (state.phase === 'waiting_human' && state.pending_crp !== shownQuestion) {
          const crp = await openQuestion(files, state);
          this.log(`\n${questionView(crp, columns())}\n${answerWords(state, crp)}`);
        }
        shownQuestion = state.pending_crp;
      },
      pause: () => progress.pause(),
    };
  }
}
