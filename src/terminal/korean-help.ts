/** oclif's help with the words of another language: its layout stays, headings and descriptions are replaced. */
import { CommandHelp, type Help, type Interfaces } from '@oclif/core';
import { about, flags, headings, summaries, topics } from '../words/cli/ko-help.ts';
import { NarrowHelp } from './help.ts';

type Section = Parameters<Help['section']>;

class KoreanCommandHelp extends CommandHelp {
  override section(heading: Section[0], body: Section[1]): string {
    return super.section(headings[heading] ?? heading, body);
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
  for (const command of config.commands) {
    if (!(command.id in summaries)) continue;
    command.summary = summaries[command.id as keyof typeof summaries];
    for (const one of [...Object.values(command.flags), ...Object.values(command.args)]) {
      const said = flags[`${command.id}.${one.name}`] ?? flags[one.name];
      if (said) {
        one.description = said;
        if ('summary' in one) delete one.summary;
      }
    }
  }
  return config;
}
