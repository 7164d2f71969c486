import { Flags } from '@oclif/core';
import { dureError } from '../errors.ts';
import { BaseCommand } from '../terminal/base-command.ts';
import { paint } from '../terminal/paint.ts';
import { untilSignal } from '../terminal/signals.ts';
import { findingJson, findingView } from '../terminal/views/doctor-finding-view.ts';
import { words } from '../words/cli/load-language.ts';

export default class Doctor extends BaseCommand<typeof Doctor> {
  static override summary =
    'Check whether a run would work here, and show how to fix whatever would prevent it.';
  static override description =
    "Checks everything a run needs: git, tmux, the sandbox, disk space, the backend and its login, the project's set-up and checks on the base commit, submodules, git filters, and the ignore files of other tools. Costs nothing: Claude Code is only asked to count tokens. Exit status: 0 if a run would work, even with warnings; 1 if it would fail.";
  static override examples = [
    { command: '<%= config.bin %> <%= command.id %>', description: 'Check everything.' },
    {
      command: '<%= config.bin %> <%= command.id %> --quick',
      description: 'Skip the set-up, the checks and requests to the APIs of the backends.',
    },
  ];
  static override flags = {
    quick: Flags.boolean({
      default: false,
      description: 'Skip the set-up, the checks and requests to the APIs of the backends.',
    }),
  };

  async run() {
    const project = await this.project();
    const [{ examineProject }, plugins] = await Promise.all([
      import('../doctor/run-examinations.ts'),
      this.plugins(),
    ]);
    const findings: ReturnType<typeof findingJson>[] = [];
    this.partialResult = { project: project.root, findings };
    const { quick } = this.flags;
    await untilSignal(signal =>
      examineProject({
        project,
        plugins,
        quick,
        signal,
        shell: process.env,
        report: finding => {
          findings.push(findingJson(finding));
          this.log(findingView(finding));
        },
        begin: command => this.log(paint('dim', words().doctor.trying(command))),
      }),
    );
    const named = (status: string) => findings.filter(one => one.status === status).map(({ name }) => name);
    const problems = named('problem');
    if (problems.length > 0) throw dureError('E_DOCTOR', { problems: problems.join(', ') });
    const warnings = named('warning').length;
    this.log(`\n${warnings === 0 ? words().doctor.well : words().doctor.warned(warnings)}`);
    if (quick) this.log(words().doctor.quickly);
    return this.partialResult;
  }
}
