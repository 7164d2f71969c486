/**
 * Object and array literals in JavaScript and in JSON with comments, read only as far as an edit of the text needs it:
 * where each part begins and ends. Pure. What it does not understand for certain is `Unsure`, never a guess.
 */

/** The text has a shape that cannot be edited with certainty. */
export class Unsure extends Error {
  override name = 'Unsure';
}

export interface Place {
  readonly start: number;
  /** Behind the last character. */
  readonly end: number;
}
export interface Member extends Place {
  readonly key: string;
  readonly value: Part;
}
export interface ObjectPart extends Place {
  readonly is: 'object';
  readonly items: readonly (Member | Place)[];
}
/** An array, or the arguments of a call from parenthesis to parenthesis. */
export interface ListPart extends Place {
  readonly is: 'list';
  readonly items: readonly Part[];
}
export interface CallPart extends Place {
  readonly is: 'call';
  readonly name: string;
  readonly args: ListPart;
}
export interface TextPart extends Place {
  readonly is: 'text';
  readonly value: string;
}
/** Any other expression; `source` is how it is written. */
export interface OtherPart extends Place {
  readonly is: 'other';
  readonly source: string;
}
export type Part = ObjectPart | ListPart | CallPart | TextPart | OtherPart;

const WORD = /[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/uy;
const NAME = /[\p{ID_Start}$_][\p{ID_Continue}$]*(?:\.[\p{ID_Start}$_][\p{ID_Continue}$]*)*/uy;
const SPACE = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;

const matchAt = (pattern: RegExp, source: string, at: number): string | null => {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0] ?? null;
};

/** Behind white space and comments. */
export const skipSpace = (source: string, at: number): number =>
  at + (matchAt(SPACE, source, at)?.length ?? 0);

/** Behind a string, template, regular expression or bracketed part that begins here, else behind one character. */
export function skipOne(source: string, at: number, before: string): number {
  const char = source[at]!;
  if (char === '"' || char === "'") return skipText(source, at);
  if (char === '`') return skipTemplate(source, at);
  if (char === '/' && /(^|[=([{,:;!&|?+*%<>~^-]|=>|\breturn)$/.test(before.trimEnd()))
    return skipPattern(source, at);
  if ('([{'.includes(char)) return skipBrackets(source, at);
  if (')]}'.includes(char)) throw new Unsure(`a ${char} that nothing opens`);
  const word = matchAt(WORD, source, at);
  return at + (word?.length ?? 1);
}

function skipText(source: string, at: number): number {
  const quote = source[at];
  for (let i = at + 1; i < source.length && source[i] !== '\n'; i += source[i] === '\\' ? 2 : 1)
    if (source[i] === quote) return i + 1;
  throw new Unsure('a string without an end');
}

function skipTemplate(source: string, at: number): number {
  for (let i = at + 1; i < source.length; ) {
    if (source[i] === '`') return i + 1;
    if (source.startsWith('${', i)) i = skipBrackets(source, i + 1);
    else i += source[i] === '\\' ? 2 : 1;
  }
  throw new Unsure('a template without an end');
}

function skipPattern(source: string, at: number): number {
  let inClass = false;
  for (let i = at + 1; i < source.length && source[i] !== '\n'; i += source[i] === '\\' ? 2 : 1) {
    if (source[i] === '[') inClass = true;
    else if (source[i] === ']') inClass = false;
    else if (source[i] === '/' && !inClass) return i + 1;
  }
  throw new Unsure('a regular expression without an end');
}

const CLOSES: Record<string, string> = { '(': ')', '[': ']', '{': '}' };

function skipBrackets(source: string, at: number): number {
  const close = CLOSES[source[at]!]!;
  for (let i = skipSpace(source, at + 1); i < source.length; i = skipSpace(source, i)) {
    if (source[i] === close) return i + 1;
    i = skipOne(source, i, source.slice(at, i));
  }
  throw new Unsure(`a ${source[at]} without an end`);
}

/** The value that begins here, up to a comma, a closing bracket or the end of the statement. */
export function readPart(source: string, at: number): Part {
  const start = skipSpace(source, at);
  const known = knownPart(source, start);
  if (known && endsAt(source, skipSpace(source, known.end))) return known;
  return otherPart(source, start);
}

const endsAt = (source: string, at: number): boolean => at >= source.length || ',)]}'.includes(source[at]!);

/** An object, list, call or text that begins exactly here, whatever follows it. */
export function knownPart(source: string, start: number): Part | null {
  const char = source[start];
  if (char === '{') return objectPart(source, start);
  if (char === '[') return listPart(source, start, ']');
  if (char === '"' || char === "'") {
    const end = skipText(source, start);
    return { is: 'text', start, end, value: unquoted(source.slice(start, end)) };
  }
  const name = matchAt(NAME, source, start);
  const open = name === null ? start : skipSpace(source, start + name.length);
  if (name === null || source[open] !== '(') return null;
  const args = listPart(source, open, ')');
  return { is: 'call', start, end: args.end, name, args };
}

/** Good enough to know a key or a pattern again: escapes that Dure would never write need not be understood. */
const unquoted = (text: string): string => text.slice(1, -1).replace(/\\(.)/g, '$1');

function otherPart(source: string, start: number): OtherPart {
  let end = start;
  for (
    let i = start;
    i < source.length && !endsAt(source, i) && source[i] !== ';';
    i = skipSpace(source, i)
  ) {
    i = skipOne(source, i, source.slice(start, i));
    end = i;
  }
  if (end === start) throw new Unsure('nothing where a value is expected');
  return { is: 'other', start, end, source: source.slice(start, end) };
}

function listPart(source: string, start: number, close: string): ListPart {
  const items: Part[] = [];
  const end = eachItem(source, start, close, at => {
    const part = readPart(source, at);
    items.push(part);
    return part.end;
  });
  return { is: 'list', start, end, items };
}

function objectPart(source: string, start: number): ObjectPart {
  const items: (Member | Place)[] = [];
  const end = eachItem(source, start, '}', at => {
    const item = memberAt(source, at) ?? otherPart(source, at);
    items.push(item);
    return item.end;
  });
  return { is: 'object', start, end, items };
}

/** Null for a spread, a method, a shorthand or a computed key. */
function memberAt(source: string, at: number): Member | null {
  const quoted = source[at] === '"' || source[at] === "'";
  const word = quoted ? source.slice(at, skipText(source, at)) : matchAt(WORD, source, at);
  if (word === null) return null;
  const colon = skipSpace(source, at + word.length);
  if (source[colon] !== ':') return null;
  const value = readPart(source, colon + 1);
  return { start: at, end: value.end, key: quoted ? unquoted(word) : word, value };
}

function eachItem(source: string, open: number, close: string, read: (at: number) => number): number {
  let at = skipSpace(source, open + 1);
  while (source[at] !== close) {
    if (at >= source.length) throw new Unsure('a bracket without an end');
    at = skipSpace(source, read(at));
    if (source[at] === ',') at = skipSpace(source, at + 1);
    else if (source[at] !== close) throw new Unsure('no comma between two parts');
  }
  return at + 1;
}

export const isMember = (item: Member | Place): item is Member => 'key' in item;

/** The last member of this name holds, as in JavaScript. */
export const memberOf = (object: ObjectPart, key: string): Member | null =>
  object.items.filter(isMember).findLast(member => member.key === key) ?? null;

/** Texts of a list, without what is written another way. */
export const textsOf = (list: ListPart): string[] =>
  list.items.flatMap(item => (item.is === 'text' ? [item.value] : []));
