/** What oclif's parser says about a command line that is wrong, in Korean. It has only sentences, and no codes. */
import { stripVTControlCharacters } from 'node:util';

type Saying = readonly [english: RegExp, korean: (...parts: string[]) => string];

const SAYINGS: readonly Saying[] = [
  [/^Nonexistent flags?: (.+)$/s, flags => `그런 옵션은 없습니다: ${flags}`],
  [/^Unexpected arguments?: (.+)$/s, args => `필요 없는 인자가 있습니다: ${args}`],
  // A name a line, with its description behind it, in as many lines as it takes.
  [/^Missing \d+ required args?:\n(.+)$/s, list => `필요한 인자가 없습니다: ${namesIn(list!)}`],
  [/^Missing required flag (\S+)$/s, flag => `--${flag} 옵션이 필요합니다.`],
  [
    /^Expected (--[\w-]+)=(.*) to be one of: (.+)$/s,
    (flag, given, options) => `${flag} 옵션에 ${given} 값은 없습니다. 가능한 값: ${options}`,
  ],
  [
    /^Expected (.*) to be one of: (.+)$/s,
    (given, options) => `${given} 값은 없습니다. 가능한 값: ${options}`,
  ],
  [/^Flag (--\S+) expects a value$/s, flag => `${flag} 옵션에는 값이 필요합니다.`],
  [
    /^Flag (--\S+) expects one of these values: (.+)$/s,
    (flag, options) => `${flag} 옵션에는 값이 필요합니다. 가능한 값: ${options}`,
  ],
  [/^Flag (--\S+) can only be specified once$/s, flag => `${flag} 옵션은 한 번만 쓸 수 있습니다.`],
  [
    /^(--[\w-]+)(?:=.*)? cannot also be provided when using (--\S+)$/s,
    (one, other) => `${one} 옵션과 ${other} 옵션은 함께 쓸 수 없습니다.`,
  ],
  [
    /^All of the following must be provided when using (--\S+): (.+)$/s,
    (flag, others) => `${flag} 옵션에는 다음 옵션도 필요합니다: ${others}`,
  ],
  [/^Expected an integer but received: (.*)$/s, given => `${given}: 정수가 아닙니다.`],
  [
    /^Expected an integer greater than or equal to (\S+) but received: (.*)$/s,
    (least, given) => `${given}: ${least} 이상의 정수여야 합니다.`,
  ],
  [
    /^Expected an integer less than or equal to (\S+) but received: (.*)$/s,
    (most, given) => `${given}: ${most} 이하의 정수여야 합니다.`,
  ],
  [/^(--[\w-]+): (.+)$/s, (flag, why) => `${flag}: ${usage(why!)}`],
  [
    /^The following errors? occurred:\s+(.+)$/s,
    list =>
      list!
        .split('\n')
        .map(line => usage(line.trim()))
        .join('\n'),
  ],
  [/^[Cc]ommand (.+) not found\.?$/s, command => `${command}: 그런 dure 명령은 없습니다.`],
  [/^Did you mean `(--[\w-]+)`\?$/s, flag => `\`${flag}\`인가요?`],
  [/^See `(dure [^`]*--help)`\.$/s, help => `\`${help}\`를 보세요.`],
];

/** A sentence that is not known stays as it is. */
export function usage(said: string): string {
  const english = stripVTControlCharacters(said).trim();
  for (const [pattern, korean] of SAYINGS) {
    const found = pattern.exec(english);
    if (found) return korean(...found.slice(1));
  }
  return said;
}

const namesIn = (list: string): string => [...list.matchAll(/^\S+/gm)].map(([name]) => name).join(', ');
