/** The next steps for a person, with exact commands. */
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
  const facts = [round(s), elapsed(s, now, false), costText(s)].join(' · ');
  const { title, decide } = words().ready;
  const said = `${paint('green', '✔')} ${title}`;
  const beside = `(${facts})`;
  const gap = cells(said) + 1 + cells(beside) <= columns() ? ' ' : '\n  ';
  const ready = `${said}${gap}${paint('dim', beside)}`;
  return `\n${ready}\n${decide}\n${commands([`dure review ${s.run_id}`, ...decideCommands(s)])}`;
}

export const answerWords = (s: RunState, crp: Crp): string =>
  `${words().question.answerWith}\n${commands(answerCommands(s, crp))}\n`;
