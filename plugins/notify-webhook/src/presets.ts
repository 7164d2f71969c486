/** Builds the request in the shape that each kind of receiver expects. */
import type { Notification, Severity } from 'dure';

export interface Wire {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' };
const TEXT_TYPE = { 'Content-Type': 'text/plain; charset=utf-8' };

/** Slack parses these three as markup; nothing else needs escaping. */
const slackText = (text: string) =>
  text.replace(/[&<>]/g, c => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[c]!);

const PRIORITY: Record<Severity, string> = {
  info: 'low',
  success: 'default',
  warning: 'high',
  error: 'high',
};

export const PRESETS: Record<'json' | 'slack' | 'ntfy', (notification: Notification) => Wire> = {
  json: ({ event, run, severity, text, command }) => ({
    headers: JSON_TYPE,
    body: JSON.stringify({
      run_id: run.run_id,
      phase: run.phase,
      iteration: run.iteration,
      event,
      severity,
      text,
      command,
    }),
  }),
  slack: ({ run, text, command }) => ({
    headers: JSON_TYPE,
    body: JSON.stringify({
      text: `*${run.run_id}* ${slackText(text)}${command ? `\n\`${slackText(command)}\`` : ''}`,
    }),
  }),
  ntfy: ({ run, severity, text, command }) => ({
    headers: { ...TEXT_TYPE, Title: `Dure ${run.run_id}`, Priority: PRIORITY[severity], Tags: severity },
    body: command ? `${text}\n${command}` : text,
  }),
};
