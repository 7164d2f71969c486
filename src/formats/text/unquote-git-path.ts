/**
 * Decodes file names as git prints them in patches: git quotes a name that contains unusual bytes, and writes these
 * bytes in octal.
 */

const LETTERS: Readonly<Record<string, number>> = {
  n: 10,
  t: 9,
  r: 13,
  '"': 34,
  '\\': 92,
  a: 7,
  b: 8,
  f: 12,
  v: 11,
};

/** Bytes that are not UTF-8 become U+FFFD. A name without quotes is returned unchanged. */
export function unquoteGitPath(name: string): string {
  if (!name.startsWith('"')) return name;
  const bytes: number[] = [];
  for (const [part, octal, letter] of name.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|[^\\]+/gsu)) {
    if (octal) bytes.push(Number.parseInt(octal, 8));
    else if (letter) bytes.push(LETTERS[letter] ?? letter.charCodeAt(0));
    else bytes.push(...new TextEncoder().encode(part));
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}
