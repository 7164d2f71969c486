/** Reads the changed code of a result: text files in a known language, except tests and generated files. */

import { extname } from 'node:path';
import { foldersOf } from '../../formats/file-system/path-containment.ts';
import { withIsolatedGit } from '../../workspace/git/isolated-git.ts';
import { type Repository, zSplit } from '../../workspace/git/run-git.ts';
import { isTest, isTestSupport } from '../test-paths.ts';
import { type CodeLanguage, languageOfFile, languageOfScript } from './syntax/languages.ts';
import type { Lines } from './syntax/text-lines.ts';

/** Lines of the result that replace lines of base; either range may be empty. */
export interface Atom {
  readonly head: Lines;
  readonly base: Lines;
}

export interface ChangedFile {
  /** Path on the result, or on base if the file was deleted. */
  readonly path: string;
  /** Path on base; null for a new file. */
  readonly basePath: string | null;
  /** The content on base; null if the file does not exist there. */
  readonly base: string | null;
  readonly head: string | null;
  readonly language: CodeLanguage;
  /** The atoms in line order. */
  readonly atoms: readonly Atom[];
}

export interface Change {
  readonly code: readonly ChangedFile[];
  /** Paths of the other changed files. */
  readonly others: readonly string[];
}

const COMPARED = ['-r', '-M', '--no-ext-diff', '--no-textconv'];
/** Excludes files that became links and links that became files, because a patch shows each of them in two parts. */
const KEPT_TYPE = '--diff-filter=ADMR';

export const readChange = (repository: Repository, base: string, head: string): Promise<Change> =>
  withIsolatedGit(repository, null, async isolated => {
    const compare = (...how: string[]) => isolated.git(['diff-tree', ...COMPARED, ...how, base, head]);
    const retyped = zSplit(await compare('--diff-filter=T', '--name-only', '-z'));
    const entries = entriesIn(await compare(KEPT_TYPE, '--raw', '--no-abbrev', '-z'));
    const patch = await compare(KEPT_TYPE, '-p', '-U0', '--histogram', '--indent-heuristic', '--no-color');
    // The patch has one part per file, in the order of the entries. No content line starts like a file header.
    const parts = `\n${patch}`.split('\ndiff --git ').slice(1);
    const read = async (blob: string) =>
      NONE.test(blob) ? null : isolated.bytes(['cat-file', 'blob', blob]);
    const code: ChangedFile[] = [];
    const others: string[] = [];
    const changed = new Set(entries.flatMap(({ path, basePath }) => [path, basePath ?? path]));
    // If a folder in the path is a file on the other side (base or the result), no variant of that side can have this
    // file.
    const isReplaced = (path: string) => foldersOf(path).some(folder => changed.has(folder));
    for (const [i, { path, basePath, regular, before, after }] of entries.entries()) {
      const named = languageOfFile(path);
      const isRead = (named || extname(path) === '') && regular && isCode(path) && !isReplaced(path);
      const [old, now] = isRead ? [text(await read(before)), text(await read(after))] : [];
      const language = named ?? languageOfScript(now ?? old ?? '');
      // What a change adds to a file must not exempt the file from the exam.
      const isLeftOut = isGenerated(old ?? now ?? '') || (now ?? old ?? '').length > MAX_CODE_CHARS;
      if (language === null || old === undefined || now === undefined || isLeftOut) others.push(path);
      else code.push({ path, basePath, base: old, head: now, language, atoms: atomsIn(parts[i] ?? '') });
    }
    return { code: withFewerAtoms(code), others: [...others, ...retyped] };
  });

const NONE = /^0+$/;

/** Documentation of the project or of a package, and files that tools generate or install. */
const NOT_CODE =
  /^(?:packages\/[^/]+\/)?docs?\/|(?:^|\/)(?:dist|vendor|node_modules)\/|(?:[._-](?:min|pb|generated)|_pb2)\.\w+$/i;
const isCode = (path: string): boolean => !isTest(path) && !isTestSupport(path) && !NOT_CODE.test(path);

/** Files with more characters than this are not examined. */
const MAX_CODE_CHARS = 400_000;

const isGenerated = (code: string): boolean =>
  /@generated|^\/\/ Code generated .* DO NOT EDIT/m.test(code.slice(0, 1000)) || isMinified(code);

/** Whether a line is very long and the average line is long: a single long line may be an embedded table or picture. */
const isMinified = (code: string): boolean =>
  /[^\n]{5000}/.test(code) && code.length / code.split('\n').length > 500;

/** Undefined for bytes that are not UTF-8 text. */
function text(bytes: Buffer | null): string | null | undefined {
  if (bytes === null) return null;
  const decoded = bytes.toString('utf8');
  return decoded.includes('\0') || !Buffer.from(decoded).equals(bytes) ? undefined : decoded;
}

interface Entry {
  readonly path: string;
  readonly basePath: string | null;
  /** Whether the file is neither a link nor a submodule. */
  readonly regular: boolean;
  readonly before: string;
  readonly after: string;
}

function entriesIn(raw: string): Entry[] {
  const fields = zSplit(raw);
  const entries: Entry[] = [];
  while (fields.length > 0) {
    const [modeBefore = '', modeAfter = '', before = '', after = '', how = ''] = fields
      .shift()!
      .slice(1)
      .split(' ');
    const first = fields.shift() ?? '';
    entries.push({
      path: how.startsWith('R') ? (fields.shift() ?? '') : first,
      basePath: how === 'A' ? null : first,
      regular: [modeBefore, modeAfter].every(mode => /^(?:100|000)/.test(mode)),
      before,
      after,
    });
  }
  return entries;
}

/** Maximum number of characters to compare: each atom requires comparing its whole file. */
const MAX_COMPARED = 20_000_000;

/** Joins neighbouring atoms if there are very many, for example after a tool reformatted large files. */
export function withFewerAtoms(code: readonly ChangedFile[]): ChangedFile[] {
  const compared = code.reduce((sum, { head, atoms }) => sum + (head ?? '').length * atoms.length, 0);
  const size = Math.ceil(compared / MAX_COMPARED);
  return code.map(file => (size > 1 ? { ...file, atoms: joined(file.atoms, size) } : file));
}

const joined = (atoms: readonly Atom[], size: number): Atom[] =>
  atoms.flatMap((first, n) => {
    const last = atoms[Math.min(n + size, atoms.length) - 1]!;
    const upTo = (side: keyof Atom) => ({ from: first[side].from, to: last[side].to });
    return n % size === 0 ? [{ head: upTo('head'), base: upTo('base') }] : [];
  });

const atomsIn = (part: string): Atom[] =>
  [...part.matchAll(/\n@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/g)].map(
    ([, base, baseCount = '1', head, headCount = '1']) => ({
      base: range(Number(base), Number(baseCount)),
      head: range(Number(head), Number(headCount)),
    }),
  );

/** A patch names an empty range by the line before it. */
const range = (first: number, count: number): Lines => {
  const from = count === 0 ? first : first - 1;
  return { from, to: from + count };
};
