import { Args, Flags } from '@oclif/core';
import { isOver } from '../core/policy/phase.ts';
import { driverOf, findRun, runIds, runStatus } from '../core/run/run-store.ts';
import { dureError } from '../errors.ts';
import { type ProjectFiles, runFiles } from '../formats/layout.ts';
import type { RunState } from '../formats/state.ts';
import { BaseCommand } from '../terminal/base-command.ts';
import { phaseWord, timeText } from '../terminal/format.ts';
import { paint } from '../terminal/paint.ts';
import { columns, table } from '../terminal/text.ts';
import { words } from '../words/cli/language.ts';

export default class Recover extends BaseCommand<typeof Recover> {
  static override summary = 'Resume interrupted runs.';
  static override description =
    'Without RUN, lists the interrupted runs. Agents that are still running are adopted, not restarted.';
  static override args = { run: Args.string({ ignoreStdin: true, description: 'Run id.' }) };
  static override flags = {
    auto: Flags.boolean({ default: false, description: 'Resume all interrupted runs.', exclusive: ['list'] }),
    list: Flags.boolean({ default: false, description: 'Only list interrupted runs.' }),
  };

  async run() {
    const project = await this.project();
    const { run } = this.args;
    const found = run === undefined ? await interrupted(project) : [await one(project, run)];
    const resumes = !this.flags.list && (run !== undefined || this.flags.auto);
    if (resumes) await this.drive(project, found);
    else this.show(found);
    return {
      runs: found.map(s => ({
        run_id: s.run_id,
        phase: s.phase,
        interrupted_from: s.interrupted_from,
        updated_at: s.updated_at,
      })),
      recovered: resumes ? found.map(s => s.run_id) : [],
    };
  }

  private async drive(project: ProjectFiles, found: readonly RunState[]): Promise<void> {
    if (found.length === 0) this.log(words().recover.none);
    for (const state of found) {
      const { run_id } = state;
      const files = runFiles(project.run(run_id));
      await this.leaveEnvironment({ project, files, state });
      await this.ensureDriver(project, files);
      this.log(`${paint('green', '✔')} ${words().goesOn(run_id, paint('cyan', `dure watch ${run_id}`))}`);
    }
  }

  private show(found: readonly RunState[]): void {
    if (found.length === 0) {
      this.log(words().recover.none);
      return;
    }
    this.log(
      table(
        found.map(s => [
          s.run_id,
          words().recover.was(phaseWord(s.interrupted_from ?? s.phase)),
          timeText(s.updated_at),
        ]),
        columns(),
      ),
    );
    this.log(
      `\n${words().recover.how(paint('cyan', `dure recover ${found[0]!.run_id}`), paint('cyan', 'dure recover --auto'))}`,
    );
  }
}

async function interrupted(project: ProjectFiles): Promise<RunState[]> {
  const states = await Promise.all(
    (await runIds(project)).map(id => runStatus(runFiles(project.run(id))).catch(() => null)),
  );
  return states.flatMap(status => (status?.state.phase === 'interrupted' ? [status.state] : []));
}

async function one(project: ProjectFiles, run: string): Promise<RunState> {
  const files = await findRun(project, run);
  const status = await runStatus(files);
  if (!status) throw dureError('E_RUN_NOT_FOUND', { run });
  if (isOver(status.state)) throw dureError('E_RUN_OVER', { run, phase: status.state.phase });
  const driver = await driverOf(files);
  if (driver) throw dureError('E_DRIVER_ALIVE', { run, pid: driver.pid });
  return status.state;
}
