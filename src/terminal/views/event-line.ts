/** Formats an event as one log line. */

import { severityOf } from '../../formats/events/event-types-and-severity.ts';
import type { RunEvent } from '../../formats/events/events.ts';
import { words } from '../../words/cli/load-language.ts';
import { clockTime } from '../format-times-and-costs.ts';
import { paint } from '../paint.ts';
import { columns, wrap } from '../text-layout.ts';

const STYLE = { info: 'reset', warning: 'yellow', error: 'red', success: 'green' } as const;
const SIGN = { info: '·', warning: '!', error: '✖', success: '✔' } as const;

export function eventLine(event: RunEvent): string {
  const severity = severityOf(event.type);
  const text = `${SIGN[severity]} ${broken(words().event(event))}`;
  return `${paint('dim', clockTime(event.at))} ${severity === 'info' ? text : paint(STYLE[severity], text)}`;
}

/** Wraps and indents a long line in a terminal. In a pipe, an event is always one line. */
const broken = (text: string): string =>
  process.stdout.isTTY === true ? wrap(text, columns(), ' '.repeat('00:00:00 · '.length)).trimStart() : text;
