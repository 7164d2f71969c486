import { loadOrigin } from '../formats/load-run-files-fast.ts';
import { readText } from '../formats/read-untrusted-files.ts';
import { BaseCommand } from '../terminal/base-command.ts';
import { RUN_ARGUMENT } from '../terminal/runs/run-argument.ts';
import { statusResult } from '../terminal/runs/status-json.ts';
import { columns, wrap } from '../terminal/text-layout.ts';
import { statusView } from '../terminal/views/status-view.ts';
import { words } from '../words/cli/load-language.ts';

export default class Status extends BaseCommand<typeof Status> {
  static override summary = "Show a run's state and what it is waiting for.";
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    { command: '<%= config.bin %> <%= command.id %> --json', description: 'The whole state, for scripts.' },
  ];
  static override args = RUN_ARGUMENT;

  async run() {
    const run = await this.selectRunToShow(this.args.run);
    const { files, state, driven, damage } = run;
    await this.reportDriverPluginProblems(files);
    const origin = await loadOrigin(files.origin);
    const briefing = (await readText(files.raw).catch(() => null)) ?? '';
    if (!this.jsonEnabled()) {
      this.log(statusView({ state, damage }, briefing, Date.now(), columns()));
      this.reportSuspended(run);
      if (origin) this.log(wrap(words().status_view.broughtOver(origin.from), columns(), '  '));
    }
    return statusResult({ state, driven, origin, briefing }, Date.now());
  }
}
