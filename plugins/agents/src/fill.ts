/** Fills a role's Markdown from its configuration. Every mark must name a key that exists. */

type Values = Readonly<Record<string, unknown>>;

const CONDITION = /^\{\{([?!])([\w.]+)\}\}/;
const PLACE = /\{\{([\w.]+)\}\}/g;

/**
 * `{{key.of.config}}` becomes its value. A line behind `{{?key}}` stands only when the value is there, one behind
 * `{{!key}}` only when it is not; false, null and what is empty are not there. Throws `RangeError` for an unknown key.
 */
export function fill(template: string, values: Values): string {
  return template
    .split('\n')
    .flatMap(line => standing(line, values) ?? [])
    .map(line => line.replaceAll(PLACE, (_, key: string) => shown(lookUp(key, values))))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function standing(line: string, values: Values): string | null {
  const condition = CONDITION.exec(line);
  if (!condition) return line;
  const [mark, sign, key] = condition as unknown as [string, string, string];
  return isThere(lookUp(key, values)) === (sign === '?') ? line.slice(mark.length) : null;
}

const isThere = (value: unknown) =>
  value !== null &&
  value !== false &&
  value !== '' &&
  value !== 0 &&
  !(Array.isArray(value) && value.length === 0);

function lookUp(key: string, values: Values): unknown {
  const value = key.split('.').reduce<unknown>((at, part) => (at as Values | undefined)?.[part], values);
  if (value === undefined) throw new RangeError(`a prompt names ${key}, which is not there`);
  return value;
}

/** On one line, for a value with a line break would otherwise start a paragraph of its own. */
const shown = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(item => JSON.stringify(item)).join(', ')
    : String(value).replace(/\s+/g, ' ');
