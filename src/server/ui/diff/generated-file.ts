/** Recognizes files that programs write. The review folds them, because people rarely read them. */
import type { PatchFile } from './parse-patch.ts';

const LOCKS = /^(package-lock|npm-shrinkwrap|composer\.lock|.*-lock)\.(json|ya?ml)$|\.lockb?$|^go\.sum$/;
const NAMES = /\.min\.(js|css)$|\.(js|css)\.map$|\.snap$|\.pb\.go$|_pb2\.py$|\.g\.dart$/;
const MARK = /@generated\b|\bcode generated\b.*\bdo not edit\b/i;
/** A generated file contains its marker in one of its first lines. */
const FIRST_LINES = 5;

export function isGenerated(file: PatchFile): boolean {
  const name = file.path.slice(file.path.lastIndexOf('/') + 1);
  if (LOCKS.test(name) || NAMES.test(name)) return true;
  const start = file.hunks[0]?.lines.filter(line => line.kind !== 'deleted') ?? [];
  return start.some(line => line.newLine! <= FIRST_LINES && MARK.test(line.text));
}
