/**
 * Determines the import path of a Go package that has no go.mod, from the comment after its `package` clause or the
 * imports of its external tests. Tests that print stack traces or import the package need the exact path.
 */
import type { Folder } from './folder-reader.ts';

const MAX_FILES = 100;

/** Null when the folder has a go.mod or go.work, or when the path is unknown. */
export async function goPackagePath(folder: Folder): Promise<string | null> {
  if (folder.has('go.mod') || folder.has('go.work')) return null;
  const texts = await Promise.all(
    folder
      .names(/\.go$/)
      .slice(0, MAX_FILES)
      .map(async name => (await folder.text(name)) ?? ''),
  );
  for (const text of texts) {
    const [, commented] = /^package \w+ \/[/*] import "([^"\s]+)"/m.exec(text) ?? [];
    if (commented) return commented;
  }
  for (const text of texts) {
    const [, name] = /^package (\w+)_test\b/m.exec(text) ?? [];
    const imported = [...text.matchAll(/"([\w.-]+\.[a-z]+\/[\w./-]+)"/g)].map(([, path]) => path!);
    const own = imported.find(path => name && new RegExp(`[/.-]${name}([./-]v\\d+)?$`).test(path));
    if (own) return own;
  }
  return null;
}
