import { Args, Flags } from '@oclif/core';
import { isOver } from '../core/policy/state/phase.ts';
import { keyFault, keyOfRun } from '../core/run/record/hmac-key.ts';
import { logCorrupt, readRecord } from '../core/run/record/read-run-record.ts';
import { runOver } from '../core/run/requests/write-requests.ts';
import { driverOf, findNamedRun, type RunStatus, runIds, runStatus } from '../core/run/run-store.ts';
import { dureError } from '../errors.ts';
import { type ProjectFiles, type RunFiles, runFiles, runIdOf } from '../formats/layout.ts';
import { BaseCommand } from '../terminal/base-command.ts';
import { phaseWord, timeText } from '../terminal/format-times-and-costs.ts';
import { paint } from '../terminal/paint.ts';
import { columns, table } from '../terminal/text-layout.ts';
import { words } from '../words/cli/load-language.ts';

export default class Recover extends BaseCommand<typeof Recover> {
  static override summary = 'Resume interrupted runs.';
  static override description =
    'Without RUN, lists the interrupted runs. A run also counts as interrupted if you have made a decision about it and no process is driving the run. Agents that are still running are adopted, not restarted. A run whose log is damaged, or cannot be checked because its key is missing, is resumed only with --how, after you have been told what is lost.';
  static override args = {
    run: Args.string({ ignoreStdin: true, description: 'Run id; may be abbreviated.' }),
  };
  static override flags = {
    auto: Flags.boolean({ default: false, description: 'Resume all interrupted runs.', exclusive: ['list'] }),
    list: Flags.boolean({ default: false, description: 'Only list interrupted runs.' }),
    how: Flags.option({ options: ['rewind', 'rekey', 'branch'] as const })({
      description:
        'rewind: for a damaged log, resume from before the damage. rekey: for a missing key, continue with a new one. branch: in either case, keep only the last sealed result, as branch dure/RUN.',
    }),
  };

  async run() {
    const project = await this.project();
    const { run } = this.args;
    if (run === undefined && this.flags.how !== undefined) this.error('--how needs RUN', { exit: 2 });
    if (run !== undefined && !this.flags.list) return this.one(project, await findNamedRun(project, run));
    const found = run === undefined ? await interrupted(project) : [await resumable(project, run)];
    if (this.flags.auto)
      await this.drive(
        project,
        found.filter(({ damage }) => damage === null),
      );
    else this.show(found);
    return listed(found, this.flags.auto ? found.filter(({ damage }) => damage === null) : []);
  }

  /**
   * Throws `E_RUN_DAMAGED` for a damaged log or `E_KEY` for a log without its key, unless the user has chosen a
   * possible way to recover the run.
   */
  private async one(project: ProjectFiles, files: RunFiles) {
    const { keepSealedAsBranch, recoverableOf, replaceKey, rewindLog } = await import(
      '../core/run/record/recover-damaged-run.ts'
    );
    const run = runIdOf(files);
    const { state, damage } = await readRecord(files);
    if (this.flags.how === 'branch') {
      const { branch, commit } = await keepSealedAsBranch(project, files);
      this.log(`${paint('green', '✔')} ${words().recover.kept(branch, commit.slice(0, 12))}`);
      return { runs: [], recovered: [], branch, commit };
    }
    if (damage) {
      const { message } = logCorrupt(files.events, damage);
      const { sealed, ...left } = await recoverableOf(project, files);
      const result = sealed && `${sealed.step}.${sealed.launch} (${sealed.commit.slice(0, 12)})`;
      if (this.flags.how !== 'rewind' || left.intact === 0)
        throw dureError('E_RUN_DAMAGED', { run, log: message, ...left, sealed: result });
      await rewindLog(files);
    }
    if (state && !isOver(state)) {
      if (this.flags.how !== 'rekey') keyOfRun(run, state.key);
      else if (keyFault(state.key) !== null) await replaceKey(project, files);
    }
    const found = [await resumable(project, run)];
    await this.drive(project, found);
    return listed(found, found);
  }

  private async drive(project: ProjectFiles, found: readonly RunStatus[]): Promise<void> {
    if (found.length === 0) this.log(words().recover.none);
    for (const { state } of found) {
      const { run_id } = state;
      const files = runFiles(project.run(run_id));
      await this.saveEnvironment({ project, files, state });
      await this.ensureDriver(project, files);
      this.log(`${paint('green', '✔')} ${words().goesOn(run_id, paint('cyan', `dure watch ${run_id}`))}`);
    }
  }

  private show(found: readonly RunStatus[]): void {
    if (found.length === 0) {
      this.log(words().recover.none);
      return;
    }
    this.log(
      table(
        found.map(({ state: s, damage }) => [
          s.run_id,
          damage ? words().recover.damaged : words().recover.was(phaseWord(s.interrupted_from ?? s.phase)),
          timeText(s.updated_at),
        ]),
        columns(),
      ),
    );
    this.log(
      `\n${words().recover.how(paint('cyan', `dure recover ${found[0]!.state.run_id}`), paint('cyan', 'dure recover --auto'))}`,
    );
  }
}

const listed = (found: readonly RunStatus[], recovered: readonly RunStatus[]) => ({
  runs: found.map(({ state: s }) => ({
    run_id: s.run_id,
    phase: s.phase,
    interrupted_from: s.interrupted_from,
    updated_at: s.updated_at,
  })),
  recovered: recovered.map(({ state }) => state.run_id),
});

async function interrupted(project: ProjectFiles): Promise<RunStatus[]> {
  const found = await Promise.all(
    (await runIds(project)).map(id => runStatus(runFiles(project.run(id))).catch(() => null)),
  );
  return found.flatMap(status => (status?.state.phase === 'interrupted' ? [status] : []));
}

/** Throws `E_RUN_NOT_FOUND`, `E_RUN_OVER` or `E_DRIVER_ALIVE` if the run cannot be resumed. */
async function resumable(project: ProjectFiles, run: string): Promise<RunStatus> {
  const files = await findNamedRun(project, run);
  const status = await runStatus(files);
  if (!status) throw dureError('E_RUN_NOT_FOUND', { run: runIdOf(files) });
  if (isOver(status.state)) throw runOver(status.state);
  const driver = await driverOf(files);
  if (driver) throw dureError('E_DRIVER_ALIVE', { run: runIdOf(files), pid: driver.pid });
  return status;
}
