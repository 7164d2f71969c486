/** Finds reports in mixed output that also contains npm banners, test output and colours. */

/** Maximum number of candidate positions to parse, because text may look like the start of a report many times. */
const MAX_TRIES = 50;

/**
 * The value of `text` if all of it is JSON; otherwise every JSON object in it whose start matches `opening`.
 * `opening` must be global, start at the brace, and be specific enough that it seldom matches other output.
 */
export function jsonObjects(text: string, opening: RegExp): unknown[] {
  const whole = parsed(text.trim());
  if (whole !== undefined) return [whole];
  const found: unknown[] = [];
  let from = 0;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    opening.lastIndex = from;
    const start = opening.exec(text)?.index;
    if (start === undefined) break;
    const end = endOfObject(text, start);
    const value = end === null ? undefined : parsed(text.slice(start, end));
    if (value !== undefined) found.push(value);
    from = value === undefined || end === null ? start + 1 : end;
  }
  return found;
}

/** Index after the brace that closes the one at `start`, ignoring braces in strings. */
function endOfObject(text: string, start: number): number | null {
  const mark = /["{}]/g;
  mark.lastIndex = start;
  let depth = 0;
  for (let at = mark.exec(text); at; at = mark.exec(text)) {
    if (at[0] === '"') {
      const end = endOfString(text, at.index);
      if (end === null) return null;
      mark.lastIndex = end;
    } else {
      depth += at[0] === '{' ? 1 : -1;
      if (depth === 0) return mark.lastIndex;
    }
  }
  return null;
}

/** Uses `indexOf`, because a regular expression would overflow the stack on messages of several megabytes. */
function endOfString(text: string, start: number): number | null {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let before = quote;
    while (text[before - 1] === '\\') before -= 1;
    if ((quote - before) % 2 === 0) return quote + 1;
  }
  return null;
}

function parsed(text: string): unknown {
  if (!text.startsWith('{')) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
