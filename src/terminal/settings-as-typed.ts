/** Settings as a user types them: `builder.model`, `global.timeouts.builder`, or `timeouts.builder` for short. */
import { asTyped, dureError } from '../errors.ts';
import { CONFIG_NAMES, type ConfigName } from '../formats/config/config.ts';
import type { Json } from '../formats/schema/strict-json.ts';

export interface SettingValue {
  readonly file: ConfigName;
  readonly path: readonly string[];
}

export function resolveSettingKey(key: string): SettingValue {
  const parts = key.split('.').filter(Boolean);
  const file = CONFIG_NAMES.find(name => name === parts[0]);
  return file ? { file, path: parts.slice(1) } : { file: 'global', path: parts };
}

/** Returns the current value of a setting. If the key is unknown, throws `E_CONFIG_KEY`, which lists the known keys. */
export function settingIn(all: Readonly<Record<ConfigName, unknown>>, key: string): unknown {
  const { file, path } = resolveSettingKey(key);
  const files = key.split('.')[0] === file ? [] : CONFIG_NAMES.filter(name => name !== file);
  return knownValueAt(all[file], path, key, files);
}

/** `alternatives`: other possible first parts of the path. */
function knownValueAt(
  value: unknown,
  path: readonly string[],
  key: string,
  alternatives: readonly string[] = [],
): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, first))
    throw dureError('E_CONFIG_KEY', {
      key: asTyped(key),
      known: [...keysOf(value), ...alternatives].join(', ') || null,
    });
  return knownValueAt((value as Record<string, unknown>)[first], rest, key);
}

const keysOf = (value: unknown): string[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];

/** Parses the value as JSON if possible; otherwise it is plain text. */
export function parseSettingValue(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
