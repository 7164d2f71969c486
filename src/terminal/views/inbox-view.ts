/** Formats the inbox: everything that waits for the user. */

import type { WaitingRun } from '../../formats/output/common.ts';
import { words } from '../../words/cli/load-language.ts';
import { durationText } from '../format-times-and-costs.ts';
import { paint } from '../paint.ts';
import { adviceOf, type Inbox, type Unreadable, WAIT_KINDS } from '../runs/read-inbox.ts';
import { oneLineText, wrap } from '../text-layout.ts';

export function inboxView({ waiting, unreadable }: Inbox, now: number, width: number): string {
  const { empty, heading, unread } = words().inbox;
  if (waiting.length + unreadable.length === 0) return empty;
  const groups = WAIT_KINDS.map(kind => ({ kind, runs: waiting.filter(one => one.waits_for === kind) }));
  return [
    ...groups.map(({ kind, runs }) => ({
      title: heading[kind](runs.length),
      entries: runs.map(one => lines(one, now, width)),
    })),
    { title: unread(unreadable.length), entries: unreadable.map(one => problemLines(one, width)) },
  ]
    .filter(({ entries }) => entries.length > 0)
    .map(({ title, entries }) =>
      [paint('bold', title), ...entries.flatMap(entry => ['', ...entry]), ''].join('\n'),
    )
    .join('\n');
}

function problemLines(one: Unreadable, width: number): string[] {
  const localized = words().error(one.error);
  return [
    wrap(oneLineText(localized.message), width, '  '),
    paint('dim', wrap(one.project, width, '  ')),
    ...(one.run_id === null ? [] : [paint('dim', `  ${one.run_id}`)]),
    ...adviceOf(one, localized).map(text => wrap(text, width, '    ')),
  ];
}

function lines(one: WaitingRun, now: number, width: number): string[] {
  const { inbox, question } = words();
  const crp = one.question && question.shown(one.question);
  const recommended = crp?.options.find(({ id }) => id === crp.recommendation);
  const about = [one.run_id, inbox.waits(durationText(now - Date.parse(one.since)))];
  return [
    wrap(oneLineText(crp?.question ?? one.briefing), width, '  '),
    ...(crp ? [paint('dim', wrap(oneLineText(one.briefing), width, '  '))] : []),
    paint('dim', wrap(one.project, width, '  ')),
    paint('dim', wrap(about.join(' · '), width, '  ')),
    ...(recommended
      ? [paint('green', wrap(`${question.recommended}: ${oneLineText(recommended.label)}`, width, '  '))]
      : []),
    `    ${paint('cyan', one.command)}`,
  ];
}
