/** Determines the syntax colours of diff lines. The language is inferred from the file name. */
import { common, createLowlight } from 'lowlight';
import type { PatchFile, PatchLine } from './parse-patch.ts';

/** Longer files are shown without colours: all lines of a side are parsed at once. */
const MAX_HIGHLIGHTED_CHARS = 150_000;

export interface Token {
  readonly text: string;
  /** A highlight.js class, such as `hljs-keyword`; empty for ordinary text. */
  readonly kind: string;
}
export type LineTokens = ReadonlyMap<PatchLine, readonly Token[]>;

const lowlight = createLowlight(common);
const BY_NAME: Readonly<Record<string, string>> = {
  dockerfile: 'bash',
  gemfile: 'ruby',
  rakefile: 'ruby',
  vue: 'xml',
  svelte: 'xml',
  htm: 'xml',
  h: 'cpp',
};

function languageOf(path: string): string | null {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const ending = name.slice(name.lastIndexOf('.') + 1);
  const language = BY_NAME[name] ?? BY_NAME[ending] ?? ending;
  return lowlight.registered(language) ? language : null;
}

const known = new WeakMap<PatchFile, LineTokens>();

export function tokensOf(file: PatchFile): LineTokens {
  const found = known.get(file) ?? tokenized(file);
  known.set(file, found);
  return found;
}

function tokenized(file: PatchFile): LineTokens {
  const language = languageOf(file.path);
  const lines = file.hunks.flatMap(hunk => hunk.lines);
  const found = new Map<PatchLine, readonly Token[]>();
  if (language === null || lines.reduce((sum, { text }) => sum + text.length, 0) > MAX_HIGHLIGHTED_CHARS)
    return found;
  for (const left of ['added', 'deleted'] as const) {
    const side = lines.filter(({ kind }) => kind !== left);
    if (left === 'added' && !side.some(({ kind }) => kind === 'deleted')) continue;
    const tokens = byLine(lowlight.highlight(language, side.map(({ text }) => text).join('\n')));
    for (const [i, line] of side.entries()) found.set(line, tokens[i] ?? []);
  }
  return found;
}

type Node = ReturnType<typeof lowlight.highlight>['children'][number];

function byLine(root: { readonly children: readonly Node[] }): Token[][] {
  const lines: Token[][] = [[]];
  const add = (node: Node, kind: string) => {
    if (node.type === 'text')
      for (const [i, text] of node.value.split('\n').entries()) {
        if (i > 0) lines.push([]);
        if (text !== '') lines.at(-1)!.push({ text, kind });
      }
    else if (node.type === 'element') {
      const [own] = node.properties['className'] as string[];
      for (const child of node.children) add(child as Node, own ?? kind);
    }
  };
  for (const node of root.children) add(node, '');
  return lines;
}
