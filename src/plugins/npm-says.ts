/** Why npm could not, in its own words, without what tells a person nothing. */
import { wordsOf } from './calls.ts';

const NOISE = /^(?:(?:code|errno|syscall|path|dest|cwd|A complete log)\b|$)/;
const MOST_LINES = 3;

export function whyOf(said: readonly string[], error: unknown): string {
  const lines = said
    .flatMap(text => text.split('\n'))
    .flatMap(line => /^npm (?:error|ERR!) ?(.*)$/.exec(line)?.[1]?.trim() ?? [])
    .filter(line => !NOISE.test(line));
  if (lines.length === 0 && wordsOf(error) === 'plugin is invalid')
    return 'its package.json says nothing of oclif';
  return lines.length > 0 ? lines.slice(0, MOST_LINES).join(' ') : wordsOf(error);
}
