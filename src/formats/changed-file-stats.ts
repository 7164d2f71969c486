/** The kinds of files in git trees, and the statistics of a changed file. */

/** The kind of a file in a git tree that is not a regular file. */
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
  /** Size of the file, if it is too big for a patch. */
  readonly bytes?: number;
}
