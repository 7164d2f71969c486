/** The commands that answer a question. */
import type { Crp } from '../formats/consultation.ts';
import type { RunState } from '../formats/state.ts';
import { words } from '../words/cli/language.ts';
import { paint } from './paint.ts';
import { answerCommands } from './suggested-commands.ts';

const commands = (list: readonly string[]): string =>
  list.map(command => `  ${paint('cyan', command)}`).join('\n');

export const answerWords = (s: RunState, crp: Crp): string =>
  `${words().question.answerWith}\n${commands(answerCommands(s, crp))}\n`;
