import { realpath } from 'node:fs/promises';
import { Args, Flags } from '@oclif/core';
import { type CleanPlan, planClean } from '../core/clean/plan.ts';
import { discardRun, finish, partlyRemovedRuns, removeRun } from '../core/clean/remove-run.ts';
import { survey } from '../core/clean/survey-runs.ts';
import { OVER_PHASES, PERSON_PHASES } from '../core/policy/state/phase.ts';
import { missingRun } from '../core/run/missing-run.ts';
import { findRun } from '../core/run/run-store.ts';
import { endSessions } from '../daemon/end-tmux-sessions.ts';
import { DureError, dureError } from '../errors.ts';
import { exists } from '../formats/file-system/path-status.ts';
import { type ProjectFiles, projectFiles } from '../formats/layout.ts';
import { BaseCommand } from '../terminal/base-command.ts';
import { phaseWord, timeText } from '../terminal/format-times-and-costs.ts';
import { doneLine, warningLine } from '../terminal/message-line.ts';
import { paint } from '../terminal/paint.ts';
import { spanOf } from '../terminal/parse-flag-values.ts';
import { confirm, isInteractive } from '../terminal/prompt-for-input.ts';
import { cells, columns, pad, table, wrap } from '../terminal/text-layout.ts';
import { enCli } from '../words/cli/en.ts';
import { words } from '../words/cli/load-language.ts';
import { openRepository } from '../workspace/git/open-repository.ts';
import type { Repository } from '../workspace/git/run-git.ts';

/** Maximum number of kept runs, and of refs that are left, to list; the rest are only counted. */
const MAX_LISTED = 20;

interface Kept {
  run_id: string;
  why: string;
}

export default class Clean extends BaseCommand<typeof Clean> {
  static override summary = 'Remove finished runs.';
  static override description =
    "Removes a run's folder, worktree and sealed results. Merged changes stay merged, and unmerged branches are kept with their packs. Edits in the worktree that were never sealed are saved as a commit under refs/dure/kept/, where Dure also keeps branches, tags and stash entries of yours that were lost during a run. Removing a run that is not finished, or that is completed but not merged, requires --force and also deletes its pack and everything that was kept for it under refs/dure/kept/; a running one is never removed.";
  static override examples = [
    {
      command: '<%= config.bin %> <%= command.id %> --older-than 30d --dry-run',
      description: 'Preview only.',
    },
    '<%= config.bin %> <%= command.id %> --state failed --state stopped --yes',
  ];
  static override args = {
    run: Args.string({
      ignoreStdin: true,
      description: 'Remove only this run; --state is ignored. The id must be complete.',
    }),
  };
  static override flags = {
    'older-than': Flags.string({
      helpValue: '30d',
      description: 'Remove only runs that have not changed for this long (m, h, d, w).',
    }),
    state: Flags.string({
      helpValue: 'STATE',
      multiple: true,
      delimiter: ',',
      options: [...OVER_PHASES, ...PERSON_PHASES],
      default: [...OVER_PHASES],
      description: 'Remove only runs in these phases (comma-separated).',
    }),
    'dry-run': Flags.boolean({
      default: false,
      description: 'Show what would be removed without removing it.',
    }),
    force: Flags.boolean({
      default: false,
      description:
        'Also remove runs that are not finished or not merged. This deletes their packs, their unsealed edits, and the lost branches, tags and stash entries that Dure saved; unmerged branches are kept.',
    }),
    yes: Flags.boolean({ default: false, char: 'y', description: 'Do not ask for confirmation.' }),
  };

  async run() {
    const { flags } = this;
    const olderThan = flags['older-than'] === undefined ? null : spanOf(flags['older-than']);
    // Git records the real paths of worktrees.
    const project = projectFiles(await realpath((await this.project()).root));
    const repo = await openRepository(project.root, project.shadow);
    if (this.args.run !== undefined) await expectLeftover(project, repo, this.args.run);
    const run = this.args.run ?? null;
    const request = { states: flags.state, olderThan, now: Date.now(), force: flags.force, run };
    const plan = planClean(await survey(project, repo, run), request);
    const half = await partlyRemovedRuns(project);
    this.show(plan, half);
    const [named] = run === null ? [] : plan.keep;
    if (named && !flags['dry-run'])
      throw dureError('E_KEPT', {
        run: named.run.run_id,
        why: enCli.clean.why(named.why),
        idle: named.why.is !== 'at-work',
      });
    const ids = plan.remove.map(one => one.run_id);
    const preview = this.result(ids, kept(plan), half, true);
    this.partialResult = preview;
    if (flags['dry-run']) return preview;
    if (plan.remove.length > 0 && !(await this.mayRemove(plan.remove.length)))
      return this.result([], kept(plan), [], false);
    const remove = flags.force ? discardRun : removeRun;
    const { removed, kept: notRemoved, refs } = await removeAll(project, repo, plan, half, remove);
    await endSessions(project);
    const w = words();
    for (const { run_id, why } of notRemoved)
      this.log(warningLine(w.clean.stayed(run_id, w.error(why).message)));
    if (removed.length > 0) this.log(doneLine(w.clean.removed(removed.length)));
    if (refs.length > 0) this.log(wrap(w.clean.inGit(namesOf(refs)), columns()));
    const alive = notRemoved.map(({ run_id, why }) => ({ run_id, why: why.message }));
    return this.result(removed, [...kept(plan), ...alive], half, false);
  }

  private result(removed: string[], keep: Kept[], finished: string[], dry_run: boolean) {
    return { dry_run, removed, finished, kept: keep };
  }

  private async mayRemove(count: number): Promise<boolean> {
    if (this.flags.yes) return true;
    if (this.jsonEnabled() || !isInteractive()) throw dureError('E_NOT_AGREED', { count });
    return confirm(words().clean.ask(count));
  }

  private show({ remove, keep }: CleanPlan, half: readonly string[]): void {
    const w = words().clean;
    if (remove.length === 0) this.log(w.nothing);
    else {
      const rows = remove.map(run => [
        run.run_id,
        phaseWord(run.phase ?? 'unreadable'),
        run.updated_at ? timeText(run.updated_at) : '',
      ]);
      const title = paint('bold', this.flags['dry-run'] ? w.would : w.will);
      this.log(`${title}\n${table(rows, columns() - 2).replace(/^/gm, '  ')}`);
    }
    if (half.length > 0) this.log(wrap(w.half(half.join(', ')), columns()));
    if (keep.length === 0) return;
    const more = keep.length > MAX_LISTED ? [`  ${w.more(keep.length - MAX_LISTED)}`] : [];
    this.log([paint('bold', w.stays), ...reasons(keep.slice(0, MAX_LISTED)), ...more].join('\n'));
  }
}

/** Throws as `findRun` does, unless git still has refs of the run. */
async function expectLeftover(project: ProjectFiles, repo: Repository, run: string): Promise<void> {
  await findRun(project, run).catch(async error => {
    const isGone = error.code === 'E_RUN_NOT_FOUND' && !(await exists(project.run(run)));
    if (!isGone || (await missingRun(repo, run)).code === 'E_RUN_NOT_FOUND') throw error;
  });
}

/** Formats why each run is kept. Wraps long reasons instead of truncating them. */
function reasons(keep: CleanPlan['keep']): string[] {
  const width = Math.max(...keep.map(({ run }) => cells(run.run_id)));
  const indent = ' '.repeat(width + 4);
  return keep.map(({ run, why }) => {
    const reason = wrap(words().clean.why(why), columns(), indent).trimStart();
    return `  ${pad(run.run_id, width)}  ${reason}`;
  });
}

function namesOf(refs: readonly string[]): string {
  const more = refs.length > MAX_LISTED ? [words().clean.more(refs.length - MAX_LISTED)] : [];
  return [...refs.slice(0, MAX_LISTED), ...more].join(', ');
}

/** Returns the kept runs as `--json` prints them, always in English. */
const kept = ({ keep }: CleanPlan): Kept[] =>
  keep.map(({ run, why }) => ({ run_id: run.run_id, why: enCli.clean.why(why) }));

/**
 * Finishes interrupted removals, then removes the planned runs, except those whose driver has started since and those
 * with files that git cannot store. `refs` are what is left of them in git.
 */
async function removeAll(
  project: ProjectFiles,
  repo: Repository,
  { remove }: CleanPlan,
  half: readonly string[],
  removeOne: typeof removeRun,
): Promise<{ removed: string[]; kept: { run_id: string; why: DureError }[]; refs: string[] }> {
  const refs: string[] = [];
  for (const id of half) refs.push(...(await finish(project, repo, id)));
  const removed: string[] = [];
  const kept: { run_id: string; why: DureError }[] = [];
  for (const { run_id } of remove) {
    try {
      refs.push(...(await removeOne(project, repo, run_id)));
      removed.push(run_id);
    } catch (error) {
      if (!(error instanceof DureError) || !['E_DRIVER_ALIVE', 'E_GIT'].includes(error.code)) throw error;
      kept.push({ run_id, why: error });
    }
  }
  return { removed, kept, refs };
}
