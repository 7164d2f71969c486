/** Adds to a literal in a source text and leaves every other character as it is. Pure. */
import {
  type ListPart,
  memberOf,
  type ObjectPart,
  type Place,
  skipSpace,
  textsOf,
  Unsure,
} from './literal.ts';

/** How a new part is written. */
export interface Style {
  /** `"` in JSON, else what the file uses more. */
  readonly quote: '"' | "'";
  readonly quotedKeys: boolean;
}
export const JSON_STYLE: Style = { quote: '"', quotedKeys: true };

export const styleOf = (source: string): Style => ({
  quote: source.split('"').length > source.split("'").length ? '"' : "'",
  quotedKeys: false,
});

export const text = (style: Style, value: string): string => `${style.quote}${value}${style.quote}`;
const key = (style: Style, name: string): string => (style.quotedKeys ? text(style, name) : name);

/** The source with `written` as the last item of an object, a list or the arguments of a call. */
export function append(source: string, into: ObjectPart | ListPart, written: string): string {
  const last = into.items.at(-1) as Place | undefined;
  if (!last) {
    const room = into.is === 'object' ? ' ' : '';
    const inside = source.slice(into.start + 1, into.end - 1);
    if (inside.trim() !== '') throw new Unsure('a comment where nothing else is');
    return spliced(source, into.start + 1, into.end - 1, `${room}${written}${room}`);
  }
  const comma = skipSpace(source, last.end);
  const trailing = source[comma] === ',';
  const tail = source.slice(last.end, into.end - 1);
  const manyLines = tail.includes('\n');
  if (!manyLines) {
    const at = trailing ? comma + 1 : last.end;
    return spliced(source, at, at, trailing ? ` ${written},` : `, ${written}`);
  }
  // Behind what else stands in the last item's line, which may be a comment on it.
  const line = source.indexOf('\n', trailing ? comma : last.end);
  const added = `${newline(source)}${indentAt(source, into.items[0]!.start)}${written}${trailing ? ',' : ''}`;
  const end = source[line - 1] === '\r' ? line - 1 : line;
  const more = spliced(source, end, end, added);
  return trailing ? more : spliced(more, last.end, last.end, ',');
}

const spliced = (source: string, start: number, end: number, by: string) =>
  source.slice(0, start) + by + source.slice(end);
const newline = (source: string) => (source.includes('\r\n') ? '\r\n' : '\n');
const indentAt = (source: string, at: number): string =>
  /[^\S\n]*$/.exec(source.slice(0, at))![0] || /^[^\S\n]*/.exec(lineAt(source, at))![0];
const lineAt = (source: string, at: number) => source.slice(source.lastIndexOf('\n', at - 1) + 1, at);

export interface Addition {
  /** Keys from the object down to the list. */
  readonly path: readonly string[];
  /** What the list shall hold. */
  readonly item: string;
  /** Items that stand before it when there is no list yet, as they are written. */
  readonly first?: readonly string[];
}

export interface Added {
  readonly source: string;
  /** Whether the list was made, and so `first` was written. */
  readonly made: boolean;
}

/** Null when the list holds the item already. `covers` tells whether another item does the same. */
export function addItem(
  source: string,
  root: ObjectPart,
  { path, item, first = [] }: Addition,
  style: Style,
  covers: (item: string) => boolean,
): Added | null {
  let object = root;
  for (const [i, name] of path.entries()) {
    const member = memberOf(object, name);
    if (!member) {
      if (object.items.some(other => !('key' in other))) throw new Unsure(`${name} may come from elsewhere`);
      const list = `[${[...first, text(style, item)].join(', ')}]`;
      const below = path.slice(i + 1);
      const value = below.reduceRight((inner, k) => `{ ${key(style, k)}: ${inner} }`, list);
      return { source: append(source, object, `${key(style, name)}: ${value}`), made: true };
    }
    const { value } = member;
    if (i === path.length - 1) {
      if (value.is !== 'list') throw new Unsure(`${name} is no plain list`);
      if (textsOf(value).some(covers)) return null;
      return { source: append(source, value, text(style, item)), made: false };
    }
    if (value.is !== 'object') throw new Unsure(`${name} is no plain object`);
    object = value;
  }
  throw new RangeError('an addition needs a path');
}
