/** Builds the commit message for a result: the project's template, filled in from the briefing. */
import { plainText } from '../../formats/text/plain-text.ts';

export interface MessageTemplate {
  /** May contain the placeholders `{title}`, `{body}` and `{run}`. The first line is the subject. */
  readonly message: string;
  readonly trailers: readonly string[];
}

/** Maximum length of the subject, in characters. */
const SUBJECT = 72;
/** Maximum length of a body from a briefing, in characters. */
const BODY = 4000;

/** `logHead` becomes the last trailer, so that a later replacement of the log can be detected. */
export function commitMessage(
  template: MessageTemplate,
  briefing: string,
  runId: string,
  logHead: string | null = null,
): string {
  const [first = '', ...rest] = withoutHeadings(briefing).split('\n');
  const title = first.trim() || runId;
  const body = cut(rest.join('\n').trim(), BODY, '\n');
  const fill = (text: string, by: string) => filled(text, { title: by, body, run: runId });
  const [subject = '', ...others] = template.message.split('\n');
  const maxLength = Math.max(20, SUBJECT - [...fill(subject, '')].length);
  const message = [fill(subject, cut(title, maxLength, ' ')), fill(others.join('\n'), title)].join('\n');
  const trailers = template.trailers.map(trailer => filled(trailer, { title, body: '', run: runId }));
  if (logHead !== null) trailers.push(`Dure-Log: ${logHead}`);
  return `${[message.trim(), trailers.join('\n')].filter(Boolean).join('\n\n')}\n`;
}

/** Removes leading blank lines and heading markers: git treats lines that begin with `#` as comments. */
const withoutHeadings = (briefing: string): string =>
  plainText(briefing)
    .replace(/^#+[ \t]*/gm, '')
    .replace(/[ \t]+$/gm, '')
    .trim();

/** Fills in all placeholders in a single pass, so that text from a briefing is never expanded as a placeholder. */
const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(title|body|run)\}/g, (_, name: string) => values[name]!);

/** Truncates to `maxLength` characters, at the last `separator` if there is one in the second half. */
function cut(text: string, maxLength: number, separator: string): string {
  const characters = [...text];
  if (characters.length <= maxLength) return text;
  const kept = characters.slice(0, maxLength - 1).join('');
  const at = characters[maxLength - 1] === separator ? kept.length : kept.lastIndexOf(separator);
  return `${kept.slice(0, at > kept.length / 2 ? at : kept.length).trimEnd()}…`;
}
