/** Proposes settings based on the project's files, and writes those that the user accepts. */

import { proposals } from '../doctor/setting-proposals.ts';
import { withValue } from '../formats/config/value-at-path.ts';
import type { ProjectFiles } from '../formats/layout.ts';
import type { Json } from '../formats/schema/strict-json.ts';
import { singleQuoted } from '../formats/text/shell-words.ts';
import { words } from '../words/cli/load-language.ts';
import { replaceConfig } from '../workspace/project/read-and-write-config.ts';
import { readRawConfig } from '../workspace/project/read-raw-config.ts';
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
  for (const { setting, shown, because } of offered) log(w.recognized(setting, shown, because));
  const written = await agreed(w.write);
  if (written) {
    const after = offered.reduce((tree, { setting, value }) => withValue(tree, setting, value), before);
    await replaceConfig(project, 'global', after, plugins);
    log(doneLine(w.written('.dure/config/global.json')));
  } else for (const { setting, value } of offered) log(warningLine(w.notWritten(setting, quoted(value))));
  return offered.map(({ setting, value, because }) => ({ setting, value, because, written }));
}

/** Quotes a value as one shell word. */
const quoted = (value: Json): string =>
  singleQuoted(typeof value === 'string' ? value : JSON.stringify(value));
