import { realpath } from 'node:fs/promises';
import { Args, Flags } from '@oclif/core';
import { BaseCommand } from '../base-command.ts';
import { findRun } from '../core/run-store.ts';
import { DureError, dureError } from '../errors.ts';
import { type ProjectFiles, projectFiles } from '../formats/layout.ts';
import { CLEANABLE, type CleanPlan, planClean, spanOf } from '../housekeeping/plan.ts';
import { finish, halfRemoved, removeRun } from '../housekeeping/remove.ts';
import { survey } from '../housekeeping/survey.ts';
import { endSessions } from '../steering/sessions.ts';
import { confirm, isInteractive } from '../terminal/ask.ts';
import { done, mind } from '../terminal/marked.ts';
import { paint } from '../terminal/paint.ts';
import { cells, columns, pad, table, wrap } from '../terminal/text.ts';
import { moment, phaseWord } from '../terminal/words.ts';
import { en } from '../words/cli/en.ts';
import { words } from '../words/cli/words.ts';
import type { Repository } from '../workspace/git.ts';
import { openRepository } from '../workspace/repository.ts';

/** Kept runs that are worth a line; the others are only counted. */
const TOLD = 20;

interface Kept {
  run_id: string;
  why: string;
}

export default class Clean extends BaseCommand<typeof Clean> {
  static override summary = 'Remove runs that are over.';
  static override description =
    'Removes the folder of a run, its worktree and its sealed results. What was merged stays merged, and a branch that was not merged stays. A run that is not over, or not merged, is removed only with --force; a run at work never is.';
  static override examples = [
    { command: '<%= config.bin %> <%= command.id %> --older-than 30d --dry-run', description: 'Only look.' },
    '<%= config.bin %> <%= command.id %> --state failed --state stopped --yes',
  ];
  static override args = {
    run: Args.string({ ignoreStdin: true, description: 'Only this run, in whatever state it is.' }),
  };
  static override flags = {
    'older-than': Flags.string({
      helpValue: '30d',
      description: 'Only runs without a change for so long (m, h, d, w).',
    }),
    state: Flags.string({
      helpValue: 'STATE',
      multiple: true,
      delimiter: ',',
      options: [...CLEANABLE],
      default: ['completed', 'failed', 'stopped'],
      description: 'Only runs in these states, with commas between.',
    }),
    'dry-run': Flags.boolean({
      default: false,
      description: 'Show what would be removed, and remove nothing.',
    }),
    force: Flags.boolean({ default: false, description: 'Also runs that are not over, or not merged.' }),
    yes: Flags.boolean({ default: false, char: 'y', description: 'Ask nothing.' }),
  };

  async run() {
    const { flags } = this;
    const olderThan = flags['older-than'] === undefined ? null : spanOf(flags['older-than']);
    if (flags['older-than'] !== undefined && olderThan === null)
      throw dureError('E_SPAN', { span: flags['older-than'] });
    // Git knows worktrees by their true paths.
    const project = projectFiles(await realpath((await this.project()).root));
    if (this.args.run !== undefined) await findRun(project, this.args.run);
    const repo = await openRepository(project.root, project.shadow);
    const run = this.args.run ?? null;
    const wish = { states: flags.state, olderThan, now: Date.now(), force: flags.force, run };
    const plan = planClean(await survey(project, repo, run), wish);
    const half = await halfRemoved(project);
    this.show(plan, half);
    const [named] = run === null ? [] : plan.keep;
    if (named && !flags['dry-run'])
      throw dureError('E_KEPT', { run: named.run.run_id, why: en.clean.why(named.why) });
    this.known = this.result(
      plan.remove.map(one => one.run_id),
      kept(plan),
      half,
      true,
    );
    if (flags['dry-run'])
      return this.result(
        plan.remove.map(one => one.run_id),
        kept(plan),
        half,
        true,
      );
    if (plan.remove.length > 0 && !(await this.mayRemove(plan.remove.length)))
      return this.result([], kept(plan), [], false);
    const { removed, stayed } = await carryOut(project, repo, plan, half);
    await endSessions(project);
    const w = words();
    for (const { run_id, why } of stayed) this.log(mind(w.clean.stayed(run_id, w.error(why).message)));
    if (removed.length > 0) this.log(done(w.clean.removed(removed.length)));
    const alive = stayed.map(({ run_id, why }) => ({ run_id, why: why.message }));
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
        run.updated_at ? moment(run.updated_at) : '',
      ]);
      const title = paint('bold', this.flags['dry-run'] ? w.would : w.will);
      this.log(`${title}\n${table(rows, columns() - 2).replace(/^/gm, '  ')}`);
    }
    if (half.length > 0) this.log(wrap(w.half(half.join(', ')), columns()));
    if (keep.length === 0) return;
    const more = keep.length > TOLD ? [`  ${w.more(keep.length - TOLD)}`] : [];
    this.log([paint('bold', w.stays), ...reasons(keep.slice(0, TOLD)), ...more].join('\n'));
  }
}

/** Why a run stays is said in full, in as many lines as it takes. */
function reasons(keep: CleanPlan['keep']): string[] {
  const width = Math.max(...keep.map(({ run }) => cells(run.run_id)));
  const indent = ' '.repeat(width + 4);
  return keep.map(({ run, why }) => {
    const said = wrap(words().clean.why(why), columns(), indent).trimStart();
    return `  ${pad(run.run_id, width)}  ${said}`;
  });
}

/** For `--json`, which is English. */
const kept = ({ keep }: CleanPlan): Kept[] =>
  keep.map(({ run, why }) => ({ run_id: run.run_id, why: en.clean.why(why) }));

/** A run that somebody began to drive since the plan was made stays. */
async function carryOut(
  project: ProjectFiles,
  repo: Repository,
  { remove }: CleanPlan,
  half: readonly string[],
): Promise<{ removed: string[]; stayed: { run_id: string; why: DureError }[] }> {
  for (const id of half) await finish(project, repo, id);
  const removed: string[] = [];
  const stayed: { run_id: string; why: DureError }[] = [];
  for (const { run_id } of remove) {
    try {
      await removeRun(project, repo, run_id);
      removed.push(run_id);
    } catch (error) {
      if (!(error instanceof DureError && error.code === 'E_DRIVER_ALIVE')) throw error;
      stayed.push({ run_id, why: error });
    }
  }
  return { removed, stayed };
}
