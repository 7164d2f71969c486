/**
 * Selects, from the files that differ from base, those that a check reads: tests, settings of runners and linters,
 * scripts. This module is pure. Changing them may alter the outcome of the check, so the check also runs with these
 * files from base.
 */
import { isDeepStrictEqual } from 'node:util';
import { parse, stringify } from 'smol-toml';
import { jsonText } from '../../formats/schema/strict-json.ts';
import { isSetting, PACKAGE_SETTINGS, PYTHON_SETTINGS } from '../runner-and-linter-settings.ts';
import { isTestOrFixture } from '../test-paths.ts';

export interface ChangedPath {
  readonly path: string;
  readonly how: 'added' | 'changed' | 'removed';
}

const CODE = /\.(?:[cm]?[jt]sx?|py|go|rs|rb|php|java|kt|vue|svelte)$/;
/** Whether only some parts of this file configure checks. */
export const isManifest = (path: string): boolean => /(?:^|\/)(?:package\.json|pyproject\.toml)$/.test(path);

/** Selects the changed files that can be restored from base. `named` lists files named in the check commands. */
export function inputsIn(changes: readonly ChangedPath[], named: ReadonlySet<string>): ChangedPath[] {
  return changes.filter(
    ({ path, how }) =>
      isSetting(path) || (how !== 'added' && !isManifest(path) && (isTestOrFixture(path) || named.has(path))),
  );
}

/** Whether a change that `inputsIn` leaves out may have removed tests. `textOnBase` is the file's content on base. */
export const mayHoldTests = ({ path, how }: ChangedPath, textOnBase: string): boolean =>
  CODE.test(path) &&
  (how === 'removed' ||
    (how === 'changed' && path.endsWith('.rs') && /#\[(?:\w+::)?test\]/.test(textOnBase)));

type Table = Record<string, unknown>;

/** Puts the settings from base into the result's manifest; null if the settings are equal or a manifest is invalid. */
export function withSettingsOfBase(path: string, base: string, result: string): string | null {
  try {
    if (path.endsWith('.json')) {
      const [before, after] = [JSON.parse(base) as Table, JSON.parse(result) as Table];
      const merged = replaced(before, after, PACKAGE_SETTINGS);
      return isDeepStrictEqual(merged, after) ? null : jsonText(merged);
    }
    const settings = parse(result);
    const [before, after] = [parse(base), settings].map(({ tool }) => ({ ...(tool as Table | undefined) }));
    const tool = replaced(before!, after!, PYTHON_SETTINGS);
    return isDeepStrictEqual(tool, after) ? null : stringify({ ...settings, tool });
  } catch {
    return null;
  }
}

function replaced(before: Table, after: Table, keys: readonly string[]): Table {
  const rest = Object.entries(after).filter(([key]) => !keys.includes(key));
  return Object.fromEntries([...rest, ...keys.filter(key => key in before).map(key => [key, before[key]])]);
}
