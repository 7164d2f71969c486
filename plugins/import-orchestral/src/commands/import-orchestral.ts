import { Command, Flags } from '@oclif/core';
import { type AddedRun, openProject } from 'dure';
import { convertRun } from '../convert-run.ts';
import { findOrchestral } from '../find-orchestral-settings-and-runs.ts';

export default class ImportOrchestral extends Command {
  static override summary = 'Import settings and runs from .orchestral/.';
  static override description =
    "Imports what Orchestral, the predecessor of Dure, left in the project's .orchestral/ folder; the original is not changed. A setting is imported only if its value in Dure is still the default. It is safe to run this again: runs that were imported before are skipped.";
  static override enableJsonFlag = true;
  static override flags = {
    project: Flags.string({
      helpGroup: 'GLOBAL',
      helpValue: 'DIR',
      description:
        'Project folder. Default: the current folder or its nearest parent that contains a .dure folder.',
    }),
  };

  async run() {
    const { flags } = await this.parse(ImportOrchestral);
    const project = await openProject(flags.project ?? process.cwd());
    const found = await findOrchestral(project.root);
    const config: string[] = [];
    const notes = [...found.problems];
    for (const { name, shown, values } of found.settings) {
      const { changed, skipped } = await project.addSettings(name, values);
      if (changed) config.push(name);
      notes.push(
        ...skipped.map(
          key =>
            `${shown}: ${key} was not imported, because Dure has no such setting or does not accept its value`,
        ),
      );
    }
    const known = await project.imported();
    const added: AddedRun[] = [];
    for (const from of found.runs.filter(folder => !known.has(folder))) {
      const run = await project.addRun(await convertRun(project.root, from));
      added.push(run);
      notes.push(...run.skipped.map(line => `${from}/${line}`));
    }
    const decisions = added.reduce((sum, run) => sum + run.decisions, 0);
    this.log(
      `Imported: ${counted(config.length, 'configuration file')}, ${counted(added.length, 'run')} (see \`dure history\`), ${counted(decisions, 'standing decision')}.`,
    );
    for (const note of notes) this.log(`! ${note}`);
    return { ok: true, version: 1, config, runs: added.map(run => run.id), decisions, notes };
  }

  /** Rethrows errors, because Dure itself prints them, as text or as JSON. */
  protected override catch(error: Error): never {
    throw error;
  }
}

const counted = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`;
