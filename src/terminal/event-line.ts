/** An event as a line of a log on the screen. */
import type { RunEvent } from '../formats/events.ts';
import { severityOf } from '../formats/severity.ts';
import { words } from '../words/cli/words.ts';
import { paint } from './paint.ts';
import { columns, wrap } from './text.ts';
import { clock } from './words.ts';

const STYLE = { info: 'reset', warning: 'yellow', error: 'red', success: 'green' } as const;
const SIGN = { info: '·', warning: '!', error: '✖', success: '✔' } as const;

export function eventLine(event: RunEvent): string {
  const severity = severityOf(event.type);
  const said = `${SIGN[severity]} ${broken(words().event(event))}`;
  return `${paint('dim', clock(event.at))} ${severity === 'info' ? said : paint(STYLE[severity], said)}`;
}

/** On a screen what is too long goes on below its beginning; in a pipe an event is one line. */
const broken = (text: string): string =>
  process.stdout.isTTY === true ? wrap(text, columns(), ' '.repeat('00:00:00 · '.length)).trimStart() : text;
