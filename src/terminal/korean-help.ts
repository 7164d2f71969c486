/** oclif's help with the words of another language: its layout stays, headings and descriptions are replaced. */
import { CommandHelp, type Help, type Interfaces } from '@oclif/core';
import { about, headings, topics, translate } from '../words/cli/ko-help.ts';
import { NarrowHelp } from './help.ts';

type Section = Parameters<Help['section']>;
type Row = [string, string | undefined];

/** Words that oclif puts beside what is told of a flag. */
const BESIDE: readonly (readonly [RegExp, string])[] = [
  [/\[default: /, '[기본값: '],
  [/\(required\)/, '(필수)'],
  [/<options: /, '<가능한 값: '],
];
const besides = (text: string): string => BESIDE.reduce((said, [from, to]) => said.replace(from, to), text);
const korean = (rows: Row[] | undefined): Row[] | undefined =>
  rows?.map(([left, right]) => [left, right === undefined ? right : besides(right)]);

class KoreanCommandHelp extends CommandHelp {
  override section(heading: Section[0], body: Section[1]): string {
    return super.section(headings[heading] ?? heading, body);
  }

  protected override args(args: Parameters<CommandHelp['args']>[0]): Row[] | undefined {
    return korean(super.args(args));
  }

  protected override flags(flags: Parameters<CommandHelp['flags']>[0]): Row[] | undefined {
    return korean(super.flags(flags));
  }
}

export class KoreanHelp extends NarrowHelp {
  protected override CommandHelpClass = KoreanCommandHelp;

  constructor(config: Interfaces.Config, options?: Partial<Interfaces.HelpOptions>) {
    super(translated(config), options);
  }

  override section(heading: Section[0], body: Section[1]): string {
    return super.section(headings[heading] ?? heading, body);
  }

  /** oclif writes the head of the root help by itself. */
  override formatRoot(): string {
    return super
      .formatRoot()
      .replace(/\b(?:USAGE|VERSION|DESCRIPTION)\b(?=[^\n]*\n)/g, word => headings[word] ?? word);
  }
}

/** Works on the descriptions that oclif has read from its manifest. */
function translated(config: Interfaces.Config): Interfaces.Config {
  config.pjson.description = about;
  config.pjson.oclif.description = about;
  for (const topic of config.topics) topic.description = topics[topic.name] ?? topic.description;
  for (const command of config.commands) translate(command);
  return config;
}
