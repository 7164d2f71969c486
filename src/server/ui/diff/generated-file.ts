/** Recognizes files that programs write. The review folds them, because people rarely read them. */
import type { PatchFile } from './parse-patch.ts';

const LOCKS = /^(package-lock|npm-shrinkwrap|composer\.lock|.*-lock)\.(json|ya?ml)$|\.lockb?$|^go\.sum$/;
const NAMES = /\.min\.(js|css)$|\.(js|css)\.map$|\.snap$|\.pb\.go$|_pb2\.py$|\.g\.dart$/;
const MARK = /@generated\b|\bcode generated\b.*\bdo not edit\b/i;
/** A generated file contains its marker in one of its first lines. */
const FIRST_LINES = 5;

/** A marker must be in the file before the change, unless the file is new: a change must not fold itself away. */
export function isGenerated({ path, change, hunks }: PatchFile): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (LOCKS.test(name) || NAMES.test(name)) return true;
  const side = change === 'added' ? 'newLine' : 'oldLine';
  const start = hunks[0]?.lines ?? [];
  return start.some(line => (line[side] ?? Infinity) <= FIRST_LINES && MARK.test(line.text));
}
