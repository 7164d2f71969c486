/** Fills in a role's Markdown template from its configuration. Every placeholder must name an existing key. */

type Values = Readonly<Record<string, unknown>>;

const CONDITION = /^\{\{([?!])([\w.]+)\}\}/;
const PLACE = /\{\{([\w.]+)\}\}/g;

/**
 * Replaces `{{key.of.config}}` with its value. A line that starts with `{{?key}}` is kept only if the value
 * is set, and one that starts with `{{!key}}` only if it is not; false, null, 0 and empty values count as not set.
 * Throws `RangeError` for an unknown key.
 */
export function fill(template: string, values: Values): string {
  return template
    .split('\n')
    .flatMap(line => keptLine(line, values) ?? [])
    .map(line => line.replaceAll(PLACE, (_, key: string) => shown(lookUp(key, values))))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function keptLine(line: string, values: Values): string | null {
  const condition = CONDITION.exec(line);
  if (!condition) return line;
  const [mark, sign, key] = condition as unknown as [string, string, string];
  return isSet(lookUp(key, values)) === (sign === '?') ? line.slice(mark.length) : null;
}

const isSet = (value: unknown) =>
  value !== null &&
  value !== false &&
  value !== '' &&
  value !== 0 &&
  !(Array.isArray(value) && value.length === 0);

function lookUp(key: string, values: Values): unknown {
  const value = key.split('.').reduce<unknown>((at, part) => (at as Values | undefined)?.[part], values);
  if (value === undefined) throw new RangeError(`a prompt refers to ${key}, which does not exist`);
  return value;
}

/** Renders a value on one line, because a line break in it would start a new paragraph. */
const shown = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(item => JSON.stringify(item)).join(', ')
    : String(value).replace(/\s+/g, ' ');
