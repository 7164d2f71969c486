/** Reads rule files from a commit, each followed by its imports. */
import { posix } from 'node:path';
import type { LeftOut } from '../../formats/recorded-agent-rules.ts';
import type { Repository } from '../git/run-git.ts';
import { readTreeFiles, type TreeFile } from '../git/tree-files.ts';
import { importsIn, placesOf } from './claude-md-imports.ts';
import { ruleText } from './rule-text.ts';

/** A file to read. */
export interface RuleFileRequest {
  readonly path: string;
  /** How many more levels of imports are allowed. */
  readonly importDepth: number;
  readonly imported_by?: string;
}

interface RuleText {
  readonly path: string;
  readonly blob: string;
  readonly imported_by?: string;
  readonly text: string;
}

export interface RuleTexts {
  readonly texts: readonly RuleText[];
  readonly left_out: readonly { readonly path: string; readonly why: LeftOut }[];
}

export async function readRuleFiles(
  repo: Repository,
  tree: ReadonlyMap<string, TreeFile>,
  requests: readonly RuleFileRequest[],
): Promise<RuleTexts> {
  const texts: RuleText[] = [];
  const left_out: { path: string; why: LeftOut }[] = [];
  const links = new Map<string, string>();
  const seen = new Set<string>();
  const read = reader(
    repo,
    requests.flatMap(({ path }) => tree.get(path) ?? []),
  );
  const todo = [...requests].reverse();
  for (let next = todo.pop(); next; next = todo.pop()) {
    const { path, importDepth, ...importer } = next;
    if (seen.has(path)) continue;
    seen.add(path);
    const file = tree.get(path);
    const bytes = file ? await read(file) : null;
    const text = bytes && ruleText(bytes);
    if (file?.isLink) links.set(path, posix.join(posix.dirname(path), text ?? ''));
    else if (file === undefined) left_out.push({ path, why: 'missing' });
    else if (bytes === null) left_out.push({ path, why: 'too-long' });
    else if (text === null) left_out.push({ path, why: 'not-text' });
    else {
      texts.push({ path, blob: file.blob, ...importer, text });
      if (importDepth === 0) continue;
      const { inside, outside } = importsOf(text, path, tree);
      todo.push(
        ...inside.map(each => ({ path: each, importDepth: importDepth - 1, imported_by: path })).reverse(),
      );
      left_out.push(...outside.map(each => ({ path: each, why: 'outside' as const })));
    }
  }
  // A link to a file that is already quoted adds nothing, so it is not reported as left out.
  for (const [path, target] of links)
    if (!texts.some(one => one.path === target)) left_out.push({ path, why: 'link' });
  return { texts, left_out };
}

/** Reads the files in `first` all at once, and others on demand. The content is null for a file that is too large. */
function reader(repo: Repository, first: readonly TreeFile[]) {
  const known = readTreeFiles(
    repo,
    first.map(({ blob }) => blob),
  );
  return async ({ blob }: TreeFile): Promise<Buffer | null> =>
    (await known).get(blob) ?? (await readTreeFiles(repo, [blob])).get(blob) ?? null;
}

/** Finds the imports in a text. A word that is not a file in the commit, such as `@types/node`, is not an import. */
function importsOf(text: string, path: string, tree: ReadonlyMap<string, TreeFile>) {
  const all = importsIn(text).map(imported => ({ imported, places: placesOf(imported, path) }));
  return {
    inside: all.flatMap(({ places }) => places?.find(place => tree.has(place)) ?? []),
    outside: all.flatMap(({ imported, places }) => (places === null ? [imported] : [])),
  };
}
