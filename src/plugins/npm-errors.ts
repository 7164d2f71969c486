/** Extracts the reason why npm failed, without lines that do not help the user. */
import { errorText } from '../process/call-plugin-code.ts';

const NOISE = /^(?:(?:code|errno|syscall|path|dest|cwd|A complete log)\b|$)/;
const MAX_LINES = 3;

export function npmErrorText(printed: readonly string[], error: unknown): string {
  const lines = printed
    .flatMap(text => text.split('\n'))
    .flatMap(line => /^npm (?:error|ERR!) ?(.*)$/.exec(line)?.[1]?.trim() ?? [])
    .filter(line => !NOISE.test(line));
  if (lines.length === 0 && errorText(error) === 'plugin is invalid')
    return 'its package.json has no "oclif" section';
  return lines.length > 0 ? lines.slice(0, MAX_LINES).join(' ') : errorText(error);
}
