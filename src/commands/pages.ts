import { Args, Flags } from '@oclif/core';
import { findNamedRun } from '../core/run/run-store.ts';
import { dureError } from '../errors.ts';
import { runIdOf } from '../formats/layout.ts';
import { BaseCommand } from '../terminal/base-command.ts';
import { words } from '../words/cli/load-language.ts';

export default class Pages extends BaseCommand<typeof Pages> {
  static override summary = "Open Dure's web pages in a browser.";
  static override description =
    'Prints a one-time address, valid for two minutes, and opens it if there is a display. If no process is serving the pages, starts one, which exits after the last page is closed.';
  static override args = {
    run: Args.string({ ignoreStdin: true, description: 'Run to open. Default: the overview.' }),
  };
  static override flags = {
    port: Flags.integer({ min: 0, max: 65_535, description: 'Port to use if a process has to be started.' }),
    'sign-out': Flags.boolean({ description: 'End the sessions of all browsers first.' }),
    browser: Flags.boolean({ allowNo: true, default: true, description: 'Open a browser.' }),
  };

  async run() {
    const project = await this.project();
    const { run } = this.args;
    const page = run === undefined ? '/' : `/run/${runIdOf(await findNamedRun(project, run))}`;
    const [{ ensurePages }, { pageLinkTo }, { signOutBrowsers }] = await Promise.all([
      import('../daemon/ensure-driver-and-pages.ts'),
      import('../server/client/page-link.ts'),
      import('../server/client/post-to-server.ts'),
    ]);
    const { port, browser } = this.flags;
    await ensurePages(project, port === undefined ? {} : { port });
    const signsOut = this.flags['sign-out'];
    if (signsOut && !(await signOutBrowsers(project)))
      throw dureError('E_NO_PAGES', { project: project.root });
    const link = await pageLinkTo(project, page);
    if (!link) throw dureError('E_NO_PAGES', { project: project.root });
    const opened = browser && !this.jsonEnabled() && (await link.open());
    this.log(words().pages.at(link.address));
    if (opened) this.log(words().pages.opened);
    return { address: link.address };
  }
}
