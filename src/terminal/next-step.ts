/** What a person can do now, in words and exact commands. */
import type { Crp } from '../formats/consultation.ts';
import type { RunState } from '../formats/state.ts';
import { words } from '../words/cli/words.ts';
import { paint } from './paint.ts';
import { answerCommands, decideCommands } from './waits.ts';
import { cost, elapsed, round } from './words.ts';

const commands = (list: readonly string[]): string =>
  list.map(command => `  ${paint('cyan', command)}`).join('\n');

export function readyWords(s: RunState, now: number): string {
  const facts = [round(s), elapsed(s, now, false), cost(s)].join(' · ');
  const { title, decide } = words().ready;
  const ready = `${paint('green', '✔')} ${title} ${paint('dim', `(${facts})`)}`;
  return `\n${ready}\n${decide}\n${commands([`dure review ${s.run_id}`, ...decideCommands(s)])}`;
}

export const answerWords = (s: RunState, crp: Crp): string =>
  `${words().question.answerWith}\n${commands(answerCommands(s, crp))}\n`;
