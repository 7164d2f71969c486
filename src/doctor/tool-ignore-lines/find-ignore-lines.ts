/** Finds the tools configured at a project's root that would read files under `.dure/`. Read-only. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { statsOfTarget } from '../../formats/file-system/path-status.ts';
import type { RootFiles } from './look-up-in-root-files.ts';
import { type Covered, type Needed, TOOLS } from './tools.ts';

const CONFIG_FILES =
  /^(package\.json|tsconfig\.json|\.?biome\.jsonc?|\.oxlintrc\.jsonc?|\.gitignore|\.eslintignore|\.eslintrc.*|\.prettier.*|prettier\.config\..+|\.mocharc\..+|(vitest|vite|jest|eslint)\.config\.\w+)$/;
const LIMIT = 1_000_000;

export type IgnoreAdvice = Covered | (Needed & { readonly how: 'add' | 'create' });

/** Returns the advice for each tool configured in these files. */
export const ignoreLinesFor = (files: RootFiles): IgnoreAdvice[] =>
  TOOLS.flatMap(tool => {
    const advice = tool(files);
    if (advice?.is !== 'needed') return advice ?? [];
    return { ...advice, how: files.has(advice.file) ? 'add' : 'create' };
  });

export const findIgnoreLines = async (root: string): Promise<IgnoreAdvice[]> =>
  ignoreLinesFor(await rootFiles(root));

async function rootFiles(root: string): Promise<RootFiles> {
  const names = (await readdir(root)).filter(name => CONFIG_FILES.test(name)).sort();
  const read = await Promise.all(names.map(name => textOf(join(root, name))));
  return new Map(names.flatMap((name, i) => (read[i] === null ? [] : [[name, read[i]!] as const])));
}

/** Follows links, because these are the user's own files. */
async function textOf(file: string): Promise<string | null> {
  const found = await statsOfTarget(file);
  return found?.isFile() && found.size <= LIMIT ? readFile(file, 'utf8') : null;
}
