/** Formats a question (CRP) for a terminal: options with risks, the recommendation, and the commands for answering. */
import type { Crp } from '../../formats/crp-and-vcr.ts';
import type { RunState } from '../../formats/state.ts';
import { words } from '../../words/cli/load-language.ts';
import { paint } from '../paint.ts';
import { answerCommands } from '../suggested-commands.ts';
import { oneLineText, wrap } from '../text-layout.ts';

export function questionView(asked: Crp, width: number): string {
  const { asks, kind, recommended, risk, shown } = words().question;
  const crp = shown(asked);
  return [
    `${paint(['bold', 'yellow'], `? ${asks(crp.created_by)}`)} ${paint('dim', `(${crp.crp_id}, ${kind(oneLineText(crp.type))})`)}`,
    '',
    paint('bold', wrap(crp.question, width, '  ')),
    ...(crp.context ? ['', paint('dim', wrap(crp.context, width, '  '))] : []),
    '',
    ...crp.options.flatMap((option, i) => {
      const best = option.id === crp.recommendation ? paint('green', `  ← ${recommended}`) : '';
      const label = oneLineText(option.label);
      const name = label === option.id ? label : `${oneLineText(option.id)}: ${label}`;
      return [
        `  ${paint('cyan', `${i + 1})`)} ${wrap(name, width - 5, '     ').trimStart()}${best}`,
        ...(option.description ? [wrap(option.description, width, '     ')] : []),
        ...(option.risk ? [paint('yellow', wrap(risk(option.risk), width, '     '))] : []),
      ];
    }),
    '',
  ].join('\n');
}

const commands = (list: readonly string[]): string =>
  list.map(command => `  ${paint('cyan', command)}`).join('\n');

/** Formats the commands that answer a question. */
export const answerWords = (s: RunState, crp: Crp): string =>
  `${words().question.answerWith}\n${commands(answerCommands(s, crp))}\n`;
