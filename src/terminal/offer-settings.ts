/** Proposes settings based on the project's files, and writes those that the user accepts. */

import type { ProjectFiles } from '../formats/layout.ts';
import type { Json } from '../formats/strict-json.ts';
import { words } from '../words/cli/language.ts';
import { singleQuoted } from '../workspace/dependencies/shell-words.ts';
import { replaceConfig } from '../workspace/project/config.ts';
import { readRawConfig } from '../workspace/project/raw-config.ts';
import { type Proposal, proposals } from '../workspace/project/setting-proposals.ts';
import { doneLine, warningLine } from './message-line.ts';

/**
 * Returns what was proposed and whether it was written. `plugins` names the sections that plugins may have in the
 * file.
 */
export async function offerSettings(
  project: ProjectFiles,
  plugins: readonly string[],
  agreed: (question: string) => Promise<boolean>,
  log: (line: string) => void,
): Promise<{ setting: string; value: Json; because: string; written: boolean }[]> {
  const w = words().init;
  const before = await readRawConfig(project, 'global');
  const offered = await proposals(project.root, before);
  if (offered.length === 0) return [];
  log('');
  for (const { setting, shown, because } of offered) log(w.recognised(setting, shown, because));
  const written = await agreed(w.write);
  if (written) {
    await replaceConfig(project, 'global', offered.reduce(withSetting, before), plugins);
    log(doneLine(w.written('.dure/config/global.json')));
  } else for (const { setting, value } of offered) log(warningLine(w.notWritten(setting, quoted(value))));
  return offered.map(({ setting, value, because }) => ({ setting, value, because, written }));
}

type Settings = { [key: string]: Json };

function withSetting(settings: Settings, { setting, value }: Proposal): Settings {
  const [head, ...rest] = setting.split('.');
  const below = rest.length === 0 ? value : nested(settings[head!], rest.join('.'), value);
  return { ...settings, [head!]: below };
}

const nested = (into: Json | undefined, setting: string, value: Json): Json =>
  withSetting((into ?? {}) as Settings, { setting, value } as Proposal);

/** Quotes a value as one shell word. */
const quoted = (value: Json): string =>
  singleQuoted(typeof value === 'string' ? value : JSON.stringify(value));
