/** Reads the config files of a project without validation, so that no schemas are loaded. */
import { dureError } from '../../errors.ts';
import type { ConfigName } from '../../formats/config/config.ts';
import { DURE_DIR, type ProjectFiles } from '../../formats/layout.ts';
import { readTextNow, unreadableReason } from '../../formats/read-untrusted-files.ts';
import { type Json, parseJson } from '../../formats/schema/strict-json.ts';

/** Returns the content of one file without defaults; an empty object if the file does not exist. */
export async function readRawConfig(
  project: ProjectFiles,
  name: ConfigName,
): Promise<{ [key: string]: Json }> {
  const file = project.configOf(name);
  try {
    const read = parseJson(readTextNow(file) ?? '{}');
    if (read === null || typeof read !== 'object' || Array.isArray(read))
      throw new SyntaxError('expected an object');
    return read;
  } catch (error) {
    const problem = error instanceof SyntaxError ? error.message : unreadableReason(error);
    throw dureError('E_CONFIG', { problems: `${shown(name)}: ${problem}` });
  }
}

/** Returns the name of a config file for use in messages. */
export const shown = (name: ConfigName) => `${DURE_DIR}/config/${name}.json`;
