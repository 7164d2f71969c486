import { BaseCommand } from '../terminal/base-command.ts';
import { readInbox, unreadableEntry } from '../terminal/runs/read-inbox.ts';
import { columns } from '../terminal/text-layout.ts';
import { inboxView } from '../terminal/views/inbox-view.ts';

export default class Inbox extends BaseCommand<typeof Inbox> {
  static override summary = 'List everything that is waiting for you, in all projects that you have used.';
  static override description =
    'Questions come first, then packs to review, then agents over their time limit and interrupted runs; within each group, the longest wait comes first. Runs that cannot be read come last. Each entry ends with the command that continues the run. A project counts as used once you have started a run in it.';

  async run() {
    const inbox = await readInbox(await this.project().catch(() => null));
    if (!this.jsonEnabled()) this.log(inboxView(inbox, Date.now(), columns()));
    return { waiting: inbox.waiting, unreadable: inbox.unreadable.map(unreadableEntry) };
  }
}
