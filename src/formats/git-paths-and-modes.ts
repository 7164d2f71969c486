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

/** The kind of file that a git file mode denotes; null for a regular file. */
export type FileKind = 'link' | 'executable' | 'submodule';
export const fileKindOfMode = (mode: string): FileKind | null =>
  (({ '120000': 'link', '160000': 'submodule', '100755': 'executable' }) as const)[mode] ?? null;

export interface FileStat {
  readonly path: string;
  /** Number of lines; null for a binary file. */
  readonly added: number | null;
  readonly removed: number | null;
  /** What the file is now, or was before it was deleted, if it is not a regular file. */
  readonly kind: FileKind | null;
  /** Its size, if it is too big for a patch. */
  readonly bytes?: number;
}
