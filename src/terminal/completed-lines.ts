/** What `dure __complete` prints: a candidate a line, its meaning after a tab; `:files` asks for file names as well. */
import { languageOf } from '../words/cli/words.ts';
import { type Candidate, complete, type KnownCommand } from './complete.ts';
import { knownWords } from './known-words.ts';
import { oneLine } from './text.ts';

/** `argv` is what follows `__complete`; `plugins` are those that are installed. */
export async function completedLines(
  argv: readonly string[],
  commands: readonly KnownCommand[],
  plugins: readonly Candidate[] = [],
): Promise<string> {
  const words = argv[0] === '--' ? argv.slice(1) : argv;
  if (languageOf(process.env) === 'ko') {
    const { translate } = await import('../words/cli/ko-help.ts');
    for (const command of commands) translate(command);
  }
  const { candidates, files } = await complete(words, commands, knownWords(words, plugins));
  const lines = candidates.map(([value, meaning]) =>
    meaning ? `${value}\t${oneLine(plainWords(meaning))}` : value,
  );
  return [...lines, ...(files ? [':files'] : []), ''].join('\n');
}

const plainWords = (text: string) => text.replaceAll('<%= config.bin %>', 'dure').replaceAll('`', '');
