/** Turns literals into similar ones with a different value. Pure. */

/** Replaces one character with a similar one, so that a program cannot tell that a test was altered. */
export function alteredString(written: string): string {
  const quote = /(?:"""|'''|["'`])$/.exec(written)?.[0] ?? '';
  const content = written.slice(0, written.length - quote.length);
  const altered = content.replace(/(?<=['"`].*)(?<!\\)[A-Za-z0-9](?=[^A-Za-z0-9]*$)/s, similar);
  return `${altered === content ? `${content}k` : altered}${quote}`;
}

/** Changes the first digit of a decimal number, because the last one may be beyond its precision. */
export const alteredNumber = (written: string): string =>
  /^0b/i.test(written)
    ? written.replace(/[01](?=n?$)/, digit => (digit === '0' ? '1' : '0'))
    : written.replace(/^0[xo]/i.test(written) ? /[0-9a-f](?=n?$)/i : /[0-9]/, similar);

const similar = (character: string): string =>
  /[79zZfF]/.test(character)
    ? String.fromCharCode(character.charCodeAt(0) - 1)
    : String.fromCharCode(character.charCodeAt(0) + 1);
