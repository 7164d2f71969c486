/** Finding a report among other lines: npm's banners, what tests print, colours. */

/** Without terminal colours and with plain line ends. */
export const plain = (text: string): string =>
  text.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '').replace(/\r\n/g, '\n');

/** A text may open with a report's first words and never be one; more than this many such openings are not tried. */
const MOST_TRIES = 50;

/**
 * Every JSON object in `text` that begins as `opening` says. `opening` must be global, match from the brace on, and be
 * so exact that what programs print seldom matches.
 */
export function jsonObjects(text: string, opening: RegExp): unknown[] {
  const whole = parsed(text.trim());
  if (whole !== undefined) return [whole];
  const found: unknown[] = [];
  let from = 0;
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
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

/** Index after the brace that closes the one at `start`; braces within strings do not count. */
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

/** By `indexOf`, since a regular expression runs out of stack on the megabytes that a message may hold. */
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
