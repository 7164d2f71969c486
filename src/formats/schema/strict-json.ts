/**
 * JSON as Dure writes it, and a strict parser for external input: it rejects duplicate keys and `__proto__`, and its
 * errors name the line and column.
 */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Serializes a value in the layout that all of Dure's JSON files and JSON output use. */
export const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const WORD = /true|false|null|-?\d[\d.eE+-]*/y;

/** Throws `SyntaxError` with line and column. Depth is limited to 200. */
export function parseJson(text: string): Json {
  let i = 0;
  const fail = (what: string): never => {
    const before = text.slice(0, i).split('\n');
    throw new SyntaxError(`${what} at line ${before.length}, column ${before.at(-1)!.length + 1}`);
  };
  const space = () => {
    while (i < text.length && ' \t\r\n'.includes(text[i]!)) i += 1;
  };
  const expect = (char: string) => {
    space();
    if (text[i] !== char)
      fail(i >= text.length ? `the file ends where ${char} is expected` : `expected ${char}`);
    i += 1;
  };
  const string = (): string => {
    const start = i;
    i += 1;
    while (i < text.length && text[i] !== '"') i += text[i] === '\\' ? 2 : 1;
    if (i >= text.length) fail('the file ends inside a string');
    i += 1;
    try {
      return JSON.parse(text.slice(start, i)) as string;
    } catch {
      i = start;
      return fail('a string that is not valid JSON');
    }
  };
  const value = (depth: number): Json => {
    if (depth > 200) fail('nested too deeply');
    space();
    const char = text[i];
    if (char === '"') return string();
    if (char === '{') return object(depth);
    if (char === '[') return array(depth);
    WORD.lastIndex = i;
    const word = WORD.exec(text)?.[0];
    if (!word) return fail(i >= text.length ? 'unexpected end of file' : 'expected a value');
    try {
      const read = JSON.parse(word) as Json;
      i += word.length;
      return read;
    } catch {
      return fail('expected a value');
    }
  };
  /** Reads the items up to `close`, with commas between them. */
  const items = (close: string, item: () => void) => {
    i += 1;
    space();
    for (let isFirst = true; text[i] !== close; isFirst = false) {
      if (!isFirst) expect(',');
      space();
      item();
      space();
    }
    i += 1;
  };
  const object = (depth: number): Json => {
    const read: { [key: string]: Json } = {};
    items('}', () => {
      if (text[i] !== '"') fail('expected a key in double quotes');
      const key = string();
      if (key === '__proto__') fail('the key __proto__ is not allowed');
      if (Object.hasOwn(read, key)) fail(`duplicate key ${key}`);
      expect(':');
      read[key] = value(depth + 1);
    });
    return read;
  };
  const array = (depth: number): Json => {
    const read: Json[] = [];
    items(']', () => read.push(value(depth + 1)));
    return read;
  };
  const read = value(0);
  space();
  if (i < text.length) fail('unexpected text after the value');
  return read;
}
