/**
 * Reads development and test requirements from the tables of Poetry, PDM, Hatch, uv and tox in pyproject.toml. This
 * module is pure.
 */
import { type JsonObject, tableAt, textsIn } from '../../../formats/schema/json-access.ts';

/**
 * Returns requirements in the format that pip reads, without single quotes. `groups` are the names of groups that tests
 * may need.
 */
export function toolRequirements(pyproject: JsonObject | null, groups: readonly string[]): string[] {
  const tool = (...keys: readonly string[]): JsonObject => tableAt(pyproject, 'tool', ...keys);
  const written = [
    ...textsIn(tool('uv')['dev-dependencies']),
    ...groups.flatMap(name => textsIn(tool('pdm', 'dev-dependencies')[name])),
    ...['default', 'hatch-test', ...groups].flatMap(name => {
      const { dependencies, 'extra-dependencies': extra } = tool('hatch', 'envs', name);
      return [...textsIn(dependencies), ...textsIn(extra)];
    }),
    ...textsIn(tool('tox', 'env_run_base')['deps']),
  ];
  const poetry = [
    tool('poetry', 'dev-dependencies'),
    ...groups.map(name => tool('poetry', 'group', name, 'dependencies')),
  ];
  return [
    ...written.filter(isRequirement),
    ...poetry.flatMap(table => Object.entries(table).flatMap(([name, value]) => ofPoetry(name, value))),
  ].map(requirement => requirement.replaceAll("'", '"'));
}

/** False for paths, URLs, pip options and strings that contain variables. */
export const isRequirement = (text: string): boolean =>
  /^[A-Za-z][\w.-]*(\[[\w,\s.-]+\])?\s*([<>=!~]=?\s*[\w.*+]+\s*,?\s*)*(;[^{}]*)?$/.test(text);

/** Returns nothing for `python` and for a package that does not come from an index. */
function ofPoetry(name: string, value: unknown): string[] {
  if (name === 'python') return [];
  if (typeof value === 'string') return [`${name}${rangeOf(value)}`];
  // A list gives one version for each platform or Python version.
  if (Array.isArray(value)) return [name];
  const { version, extras, markers } = tableAt({ value }, 'value');
  if (typeof version !== 'string') return [];
  const chosen = textsIn(extras);
  const condition = typeof markers === 'string' ? `; ${markers}` : '';
  return [`${name}${chosen.length > 0 ? `[${chosen.join(',')}]` : ''}${rangeOf(version)}${condition}`];
}

/**
 * Converts Poetry's `^1.2`, `~1.2`, `1.2.*` and `*` to version specifiers. Empty (any version) for alternatives (`||`).
 */
function rangeOf(constraint: string): string {
  const parts = constraint.split(',').map(part => part.trim().replace(/^([<>=!~]=?)\s+/, '$1'));
  const ranges = parts.map(part => {
    const [, sign, version = ''] = /^([\^~])(\d+(?:\.\d+)*)$/.exec(part) ?? [];
    if (sign !== undefined) return `>=${version},<${nextAfter(version.split('.').map(Number), sign)}`;
    return /^\d+(\.(\d+|\*))*$/.test(part) ? `==${part}` : part;
  });
  return ranges.every(range => /^[<>=!~]=?[\w.*+]+(,<[\d.]+)?$/.test(range)) ? ranges.join(',') : '';
}

/** Returns the first version that `^` or `~` excludes. */
function nextAfter(version: readonly number[], sign: string): string {
  const significant = version.findIndex(part => part > 0);
  const caret = significant < 0 ? version.length - 1 : significant;
  const at = sign === '^' ? caret : Math.min(1, version.length - 1);
  return [...version.slice(0, at), version[at]! + 1].join('.');
}
