/** Tells the user the next steps, with exact commands. */
import type { Crp } from '../formats/consultation.ts';
import type { RunState } from '../formats/state.ts';
import { words } from '../words/cli/language.ts';
import { costText, elapsed, round } from './format.ts';
import { answerCommands, decideCommands } from './next-action.ts';
import { paint } from './paint.ts';
import { cells, columns } from './text.ts';

const commands = (list: readonly string[]): string =>
  list.map(command => `  ${paint('cyan', command)}`).join('\n');

export function readyWords(s: RunState, now: number): string {
  const facts = [round(s), elapsed(s, now), costText(s)].join(' · ');
  const { title, decide } = words().ready;
  const heading = `${paint('green', '✔')} ${title}`;
  const factsText = `(${facts})`;
  const gap = cells(heading) + 1 + cells(factsText) <= columns() ? ' ' : '\n  ';
  const ready = `${heading}${gap}${paint('dim', factsText)}`;
  return `\n${ready}\n${decide}\n${commands([`dure review ${s.run_id}`, ...decideCommands(s)])}`;
}

export const answerWords = (s: RunState, crp: Crp): string =>
  `${words().question.answerWith}\n${commands(answerCommands(s, crp))}\n`;
