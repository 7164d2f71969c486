/** What `dure __complete` prints: a candidate a line, its meaning after a tab; `:files` asks for file names as well. */
import { newestIds, standing } from '../core/run-store.ts';
import { runFiles } from '../formats/layout.ts';
import { languageOf } from '../words/cli/words.ts';
import { findProject } from '../written.ts';
import { type Candidate, complete, type KnownCommand } from './complete.ts';
import { oneLine } from './text.ts';
import { phaseWord } from './words.ts';

const RUNS_SHOWN = 50;

/** `argv` is what follows `__complete`. */
export async function completedLines(
  argv: readonly string[],
  commands: readonly KnownCommand[],
): Promise<string> {
  const words = argv[0] === '--' ? argv.slice(1) : argv;
  if (languageOf(process.env) === 'ko') {
    const { translate } = await import('../words/cli/ko-help.ts');
    for (const command of commands) translate(command);
  }
  const { candidates, files } = await complete(words, commands, runs);
  const lines = candidates.map(([value, meaning]) =>
    meaning ? `${value}\t${oneLine(plainWords(meaning))}` : value,
  );
  return [...lines, ...(files ? [':files'] : []), ''].join('\n');
}

const plainWords = (text: string) => text.replaceAll('<%= config.bin %>', 'dure').replaceAll('`', '');

async function runs(): Promise<Candidate[]> {
  const project = await findProject(process.cwd()).catch(() => null);
  if (!project) return [];
  const ids = newestIds(project, RUNS_SHOWN);
  const stands = await Promise.all(ids.map(id => standing(runFiles(project.run(id))).catch(() => null)));
  return ids.map((id, i) => [id, phaseWord(stands[i]?.state.phase ?? 'unreadable')]);
}
