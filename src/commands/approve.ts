import { Flags } from '@oclif/core';
import { listed, repositorySettingsChanges } from '../core/run/effects/repository-settings-changes.ts';
import { recordedRepository } from '../core/run/record/open-recorded-repository.ts';
import { decisionOutcome } from '../core/run/requests/decision-outcome.ts';
import { FROM_TERMINAL } from '../core/run/requests/decision-proof.ts';
import { storeApprovalEnvironment } from '../core/run/requests/store-approval-environment.ts';
import { requestApproval } from '../core/run/requests/write-requests.ts';
import { dureError } from '../errors.ts';
import { evidenceFile } from '../formats/evidence.ts';
import { load } from '../formats/read-and-write-files.ts';
import { BaseCommand, type SelectedRun } from '../terminal/base-command.ts';
import { paint } from '../terminal/paint.ts';
import { treeIdOf } from '../terminal/parse-flag-values.ts';
import { confirm, isInteractive } from '../terminal/prompt-for-input.ts';
import { RUN_ARGUMENT } from '../terminal/runs/run-argument.ts';
import { runProblem, runResult } from '../terminal/runs/run-json-and-error.ts';
import { eventsAfter, watchRunSnapshots } from '../terminal/runs/watch-run-snapshots.ts';
import { untilSignal } from '../terminal/signals.ts';
import { oneLineText } from '../terminal/text-layout.ts';
import { words } from '../words/cli/load-language.ts';
import { readCommitConfig } from '../workspace/project/read-and-write-config.ts';

/** Milliseconds after which the user is told that the merge is still running. */
const SLOW_MS = 10_000;

export default class Approve extends BaseCommand<typeof Approve> {
  static override summary = 'Approve a run and merge exactly what its pack shows.';
  static override description =
    'Exit status 4: the merge was refused, and the message says why. Nothing was changed, except any files that the message lists as written but not restored; in that case, approve again to finish.';
  static override args = RUN_ARGUMENT;
  static override flags = {
    tree: Flags.string({
      helpValue: 'SHA',
      description: 'Tree you reviewed. The approval is refused if the pack has a different tree.',
    }),
    how: Flags.option({ options: ['merge', 'branch', 'pr'] as const })({
      default: 'merge',
      description: "Merge into the current branch, only keep the run's branch, or open a pull request.",
    }),
    'with-tests': Flags.boolean({
      allowNo: true,
      description:
        "Also commit the Verifier's tests, at the paths where they ran. The project's checks ran without them. Default: `commit.tests` in global.json (`ask` unless you change it).",
    }),
    verify: Flags.boolean({
      allowNo: true,
      default: true,
      description:
        'Run your git hooks for the commit: pre-commit, prepare-commit-msg, commit-msg, post-commit.',
    }),
    'accept-changes': Flags.boolean({
      default: false,
      description: 'Approve even if git settings, hooks or the configuration changed during the run.',
    }),
  };

  async run() {
    const seen = this.flags.tree === undefined ? undefined : treeIdOf(this.flags.tree);
    const chosen = await this.selectRun(this.args.run);
    const { project, files, state } = chosen;
    // Read before the request is written: the driver may process it immediately.
    const later = eventsAfter(state.seq);
    const { how: way, verify } = this.flags;
    const tests = await this.testsOf(chosen);
    const accepted = await this.acceptedChanges(chosen);
    const approval = {
      ...(accepted && { accepted }),
      ...(seen && { tree: seen }),
      how: way,
      tests,
      hooks: verify ? 'run' : 'skip',
    } as const;
    const request = await requestApproval(files, state, approval, {
      ...FROM_TERMINAL,
      before: async () => {
        await this.prepareDecision(chosen);
        await storeApprovalEnvironment(files, process.env);
      },
    });
    if (request.by?.unsigned !== undefined)
      this.logToStderr(words().decisions.unsigned(oneLineText(request.by.unsigned)));
    const sent = { kind: 'approve', ...request } as const;
    const ensureDriver = () => this.ensureDriver(project, files);
    const warn = () => this.logToStderr(words().approve.stillMerging(state.run_id));
    const timer = setTimeout(warn, SLOW_MS);
    const ended = await untilSignal(async signal => {
      // From here on, a signal only ends the wait: the request has been written.
      await ensureDriver();
      for await (const snapshot of watchRunSnapshots(files, signal, ensureDriver)) {
        this.reportSuspended(snapshot);
        const now = snapshot.state;
        const outcome = decisionOutcome(files, sent, later(snapshot), now);
        if (outcome || runProblem(now)) return { outcome, now };
      }
      this.logToStderr(words().approve.continues(state.run_id));
      return null;
    }).finally(() => clearTimeout(timer));
    if (!ended) return { run_id: state.run_id };
    this.partialResult = runResult(ended.now);
    const completed = ended.outcome?.done;
    if (!completed) throw ended.outcome?.refused ?? runProblem(ended.now);
    this.log(`${paint('green', '✔')} ${state.run_id}: ${words().event(completed)}`);
    const { how, merged, into, commit, tree } = completed;
    return { ...this.partialResult, how, merged, into, commit, tree, test_files: completed.tests ?? 0 };
  }

  /** Decides what to do with this result's tests: by a flag, by the configuration, or by asking the user. */
  private async testsOf({ project, files }: SelectedRun): Promise<'land' | 'leave'> {
    const flag = this.flags['with-tests'];
    if (flag !== undefined) return flag ? 'land' : 'leave';
    const paths = (await load(evidenceFile, files.evidence).catch(() => null))?.laid_in ?? [];
    if (paths.length === 0) return 'leave';
    const { tests } = await readCommitConfig(project);
    if (tests !== 'ask') return tests === 'always' ? 'land' : 'leave';
    if (isInteractive() && !this.jsonEnabled())
      return (await confirm(words().approve.askTests(paths))) ? 'land' : 'leave';
    this.logToStderr(words().approve.withoutTests(paths.length));
    return 'leave';
  }

  /**
   * Returns the digest of the changes in the repository and in Dure's configuration, once the user has accepted them by
   * flag or at the prompt; null if nothing changed or the run is not ready to merge.
   */
  private async acceptedChanges({ project, files, state }: SelectedRun): Promise<string | null> {
    const repo = state.phase === 'ready_for_merge' ? await recordedRepository(project, files) : null;
    const changes = repo && (await repositorySettingsChanges(repo, project, files));
    if (!changes) return null;
    const names = listed(changes.names);
    if (!this.flags['accept-changes']) {
      const refusal = dureError('E_REPOSITORY_CHANGED', { run: state.run_id, changes: names });
      if (!isInteractive() || this.jsonEnabled()) throw refusal;
      this.log(words().approve.changed(names));
      if (!(await confirm(words().approve.accept))) throw refusal;
    }
    return changes.digest;
  }
}
