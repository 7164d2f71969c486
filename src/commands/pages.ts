import { Args, Flags } from '@oclif/core';
import { BaseCommand } from '../base-command.ts';
import { findRun } from '../core/run-store.ts';
import { dureError } from '../errors.ts';
import { words } from '../words/cli/words.ts';

export default class Pages extends BaseCommand<typeof Pages> {
  static override summary = 'Open the pages in a browser.';
  static override description =
    'Prints an address that is good once and for two minutes, and opens it where there is a screen. When nobody serves the pages, a process is started that does, until nobody looks at them.';
  static override args = {
    run: Args.string({ ignoreStdin: true, description: 'Open the page of this run. Default: the overview.' }),
  };
  static override flags = {
    port: Flags.integer({ min: 0, max: 65_535, description: 'Port, when a process has to be started.' }),
    browser: Flags.boolean({ allowNo: true, default: true, description: 'Open a browser.' }),
  };

  async run() {
    const project = await this.project();
    const { run } = this.args;
    if (run !== undefined) await findRun(project, run);
    const [{ ensurePages }, { wayTo }] = await Promise.all([
      import('../driver.ts'),
      import('../steering/pages.ts'),
    ]);
    const { port, browser } = this.flags;
    await ensurePages(project, port === undefined ? {} : { port });
    const way = await wayTo(project, run === undefined ? '/' : `/run/${run}`);
    if (!way) throw dureError('E_NO_PAGES', { project: project.root });
    const opened = browser && !this.jsonEnabled() && (await way.open());
    this.log(words().pages.at(way.address));
    if (opened) this.log(words().pages.opened);
    return { address: way.address };
  }
}
