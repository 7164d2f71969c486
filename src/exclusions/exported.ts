/** What a JavaScript or TypeScript module of configuration gives, as a part of its source. Pure. */
import {
  knownPart,
  type ListPart,
  type ObjectPart,
  type Part,
  skipOne,
  skipSpace,
  Unsure,
} from './literal.ts';

const EXPORT = /export\s+default\b|module\s*\.\s*exports\s*=(?!=)/y;
/** A literal may be followed by what only a type checker reads. */
const FOLLOWS = /\s*(?:$|;|\n|satisfies\b|as\b)/y;

/** The one value that the module exports. A name is followed to the `const` it was given in. */
export function exportedPart(source: string): Part {
  const places = topLevel(source, EXPORT);
  if (places.length !== 1) throw new Unsure('not exactly one default export');
  return valueAt(source, places[0]!);
}

function valueAt(source: string, at: number): Part {
  const start = skipSpace(source, at);
  const part = knownPart(source, start);
  if (part) {
    FOLLOWS.lastIndex = part.end;
    if (!FOLLOWS.test(source)) throw new Unsure('the export goes on behind the literal');
    return part;
  }
  const name = /^[\w$]+(?=\s*(?:;|\n|$|satisfies\b|as\b))/.exec(source.slice(start))?.[0];
  if (!name) throw new Unsure('the export is not a literal');
  return named(source, name);
}

/** The value of a constant at the top of the module. */
export function named(source: string, name: string): Part {
  const declared = new RegExp(`const\\s+${name.replaceAll('$', '\\$')}\\s*(?::[^=;]+)?=(?![=>])`, 'y');
  const places = topLevel(source, declared);
  if (places.length !== 1) throw new Unsure(`${name} is not a constant of this file`);
  const start = skipSpace(source, places[0]!);
  const part = knownPart(source, start);
  if (!part) throw new Unsure(`${name} is not a literal`);
  FOLLOWS.lastIndex = part.end;
  if (!FOLLOWS.test(source)) throw new Unsure(`${name} goes on behind the literal`);
  return part;
}

/** Ends of all matches outside of brackets, strings and comments. */
function topLevel(source: string, pattern: RegExp): number[] {
  const found: number[] = [];
  const from = source.startsWith('#!') ? source.indexOf('\n') : 0;
  for (let at = skipSpace(source, Math.max(0, from)); at < source.length; at = skipSpace(source, at)) {
    pattern.lastIndex = at;
    const match = /[\w$]/.test(source[at - 1] ?? '') ? null : pattern.exec(source);
    if (match) found.push(at + match[0].length);
    at = skipOne(source, at, source.slice(0, at));
  }
  return found;
}

/**
 * The object that a part stands for. Calls of the functions named in `through` give what their last argument says;
 * a name is looked up.
 */
export function objectIn(source: string, part: Part, through: readonly string[]): ObjectPart {
  if (part.is === 'object') return part;
  if (part.is === 'call' && through.includes(part.name)) {
    const last = part.args.items.at(-1);
    if (last) return objectIn(source, last, through);
  }
  if (part.is === 'other' && /^[\w$]+$/.test(part.source))
    return objectIn(source, named(source, part.source), through);
  throw new Unsure('the configuration is not a plain object');
}

/** The list that a part stands for: an array, or the arguments of one of the functions named in `through`. */
export function listIn(part: Part, through: readonly string[]): ListPart {
  if (part.is === 'list') return part;
  if (part.is === 'call' && through.includes(part.name)) {
    const [only, ...more] = part.args.items;
    return only?.is === 'list' && more.length === 0 ? only : part.args;
  }
  throw new Unsure('the configuration is not a plain list');
}
