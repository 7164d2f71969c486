/**
 * The output of `dure __complete`: one candidate per line, with its description after a tab; `:files` requests file
 * names.
 */

import { oneLineText } from '../text-layout.ts';
import { type Candidate, complete, type KnownCommand } from './complete-command-line.ts';
import { completionSources } from './completion-sources.ts';

/** `argv`: the arguments after `__complete`. `plugins`: the installed plugins. */
export async function completionOutput(
  argv: readonly string[],
  commands: readonly KnownCommand[],
  plugins: readonly Candidate[] = [],
): Promise<string> {
  const words = argv[0] === '--' ? argv.slice(1) : argv;
  const { candidates, files } = await complete(words, commands, completionSources(words, plugins));
  const lines = candidates.map(([value, meaning]) =>
    meaning ? `${value}\t${oneLineText(plainWords(meaning))}` : value,
  );
  return [...lines, ...(files ? [':files'] : []), ''].join('\n');
}

const plainWords = (text: string) => text.replaceAll('<%= config.bin %>', 'dure').replaceAll('`', '');
