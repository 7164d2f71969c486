import { Command } from '@oclif/core';
import { runIds, standing } from '../core/run-store.ts';
import { runFiles } from '../formats/layout.ts';
import { type Candidate, complete, type KnownCommand } from '../terminal/complete.ts';
import { oneLine } from '../terminal/text.ts';
import { phaseWord } from '../terminal/words.ts';
import { findProject } from '../written.ts';

const RUNS_SHOWN = 50;

/** Answers the shell: a candidate a line, its meaning after a tab; `:files` asks for file names as well. */
export default class Complete extends Command {
  static override hidden = true;
  static override strict = false;
  static override summary = 'Answer a shell that completes a command line.';

  async run(): Promise<void> {
    const words = this.argv[0] === '--' ? this.argv.slice(1) : this.argv;
    const commands = this.config.commands as unknown as KnownCommand[];
    const { candidates, files } = await complete(words, commands, runs);
    const lines = candidates.map(([value, meaning]) =>
      meaning ? `${value}\t${oneLine(plainWords(meaning))}` : value,
    );
    process.stdout.write([...lines, ...(files ? [':files'] : []), ''].join('\n'));
  }

  /** A shell that completes has no use for messages. */
  protected override async catch(): Promise<void> {
    process.exitCode = 1;
  }
}

const plainWords = (text: string) => text.replaceAll('<%= config.bin %>', 'dure').replaceAll('`', '');

async function runs(): Promise<Candidate[]> {
  const project = await findProject(process.cwd()).catch(() => null);
  if (!project) return [];
  const ids = (await runIds(project)).slice(0, RUNS_SHOWN);
  const stands = await Promise.all(ids.map(id => standing(runFiles(project.run(id))).catch(() => null)));
  return ids.map((id, i) => [id, stands[i] ? phaseWord(stands[i].state.phase) : 'unreadable']);
}
