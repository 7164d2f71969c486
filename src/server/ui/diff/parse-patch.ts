/** Parses a git diff into files, hunks and lines. Lines that it does not recognize are left out. */

import { type FileKind, fileKindOfMode } from '../../../formats/changed-file-stats.ts';
import { unquoteGitPath } from '../../../formats/text/unquote-git-path.ts';

export interface PatchLine {
  readonly kind: 'same' | 'added' | 'deleted';
  /** Old line number; null for an added line. */
  readonly oldLine: number | null;
  /** New line number, used by comments; null for a deleted line. */
  readonly newLine: number | null;
  readonly text: string;
}
export interface Hunk {
  readonly header: string;
  /** Number of the first line on the new side, even if the hunk only deletes lines. */
  readonly start: number;
  readonly lines: readonly PatchLine[];
}
export interface PatchFile {
  readonly path: string;
  readonly from: string | null;
  readonly change: 'added' | 'deleted' | 'changed' | 'renamed';
  readonly binary: boolean;
  /** The kind of a file that is not ordinary; `plain` for a file that is ordinary now but was not before. */
  readonly kind: FileKind | 'plain' | null;
  /** Changes when the content or the mode changes on either side. */
  readonly version: string;
  readonly hunks: readonly Hunk[];
  readonly added: number;
  readonly deleted: number;
  /** Number of lines of the file in the result, once the whole file has been read. */
  readonly length?: number;
}

const path = (line: string): string | null => {
  const name = unquoteGitPath(line.slice(4).replace(/\t$/, ''));
  return name === '/dev/null' ? null : name.replace(/^[ab]\//, '');
};

export function parsePatch(patch: string): PatchFile[] {
  return joinRenamed(
    patch
      .split(/^(?=diff --git )/m)
      .filter(part => part.startsWith('diff --git '))
      .map(parseFile),
  );
}

/** Packs list a renamed file as a deleted and an added one. Joins the two if the content is the same. */
function joinRenamed(files: readonly PatchFile[]): PatchFile[] {
  const ids = (file: PatchFile) => file.version.split(' ')[0]!.split('..');
  const isEmpty = (file: PatchFile) => file.hunks.length === 0 && !file.binary;
  const deleted = new Map(
    files.filter(file => file.change === 'deleted' && !isEmpty(file)).map(file => [ids(file)[0], file]),
  );
  const joined = new Set<PatchFile>();
  const renamed = files.map(file => {
    const before = file.change === 'added' ? deleted.get(ids(file)[1] ?? '') : undefined;
    if (!before || joined.has(before) || before.kind !== file.kind) return file;
    joined.add(before);
    const none = { hunks: [], added: 0, deleted: 0 };
    return { ...file, ...none, change: 'renamed' as const, from: before.path };
  });
  return renamed.filter(file => !joined.has(file));
}

function parseFile(part: string): PatchFile {
  const lines = part.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const start = lines.findIndex(line => line.startsWith('@@ '));
  const head = start < 0 ? lines : lines.slice(0, start);
  const headerLine = (prefix: string) => head.find(line => line.startsWith(prefix));
  const minus = headerLine('--- ');
  const plus = headerLine('+++ ');
  const renamed = headerLine('rename from ');
  const before = renamed ? unquoteGitPath(renamed.slice('rename from '.length)) : minus ? path(minus) : null;
  const after = headerLine('rename to ')
    ? unquoteGitPath(headerLine('rename to ')!.slice('rename to '.length))
    : plus
      ? path(plus)
      : null;
  const hunks = start < 0 ? [] : parseHunks(lines.slice(start));
  const count = (kind: PatchLine['kind']) =>
    hunks.reduce((sum, hunk) => sum + hunk.lines.filter(line => line.kind === kind).length, 0);
  return {
    path: after ?? before ?? fromHead(lines[0]!),
    from: renamed ? before : null,
    change: headerLine('new file')
      ? 'added'
      : headerLine('deleted file')
        ? 'deleted'
        : renamed
          ? 'renamed'
          : 'changed',
    binary: head.some(line => line.startsWith('Binary files ') || line.startsWith('GIT binary patch')),
    kind: kindIn(headerLine),
    version: head
      .filter(line => /^(index|old mode|new mode) /.test(line))
      .map(line => line.replace(/^index /, ''))
      .join(' '),
    hunks,
    added: count('added'),
    deleted: count('deleted'),
  };
}

/** The kind of the file, by its mode. A mode that has not changed is in the index line. */
function kindIn(headerLine: (prefix: string) => string | undefined): PatchFile['kind'] {
  const modeAfter = (prefix: string) => headerLine(prefix)?.slice(prefix.length);
  const before = modeAfter('old mode ');
  const now =
    modeAfter('new file mode ') ??
    modeAfter('deleted file mode ') ??
    modeAfter('new mode ') ??
    headerLine('index ')?.split(' ')[2] ??
    '';
  return fileKindOfMode(now) ?? (before && fileKindOfMode(before) ? 'plain' : null);
}

/** For a file without hunks (binary, empty or mode only), the path is only in the first line: `a/X b/X`. */
function fromHead(line: string): string {
  const names = line.slice('diff --git '.length);
  const quoted = /"b\/(?:[^"\\]|\\.)*"$/.exec(names)?.[0];
  if (quoted) return unquoteGitPath(quoted).replace(/^b\//, '');
  return names.slice(Math.ceil(names.length / 2)).replace(/^ ?b\//, '');
}

function parseHunks(lines: readonly string[]): Hunk[] {
  const hunks: { header: string; start: number; lines: PatchLine[] }[] = [];
  let [oldLine, newLine] = [0, 0];
  for (const line of lines) {
    const at = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@ ?(.*)$/.exec(line);
    if (at) {
      [oldLine, newLine] = [Number(at[1]), Number(at[2])];
      // If a hunk has no lines on the new side (`+n,0`), git gives the number of the line before it.
      const start = at[0].includes(`+${newLine},0 @@`) ? newLine + 1 : newLine;
      hunks.push({ header: at[3] ?? '', start, lines: [] });
      continue;
    }
    const into = hunks.at(-1)?.lines;
    const text = line.slice(1);
    if (line.startsWith('+')) into?.push({ kind: 'added', oldLine: null, newLine: newLine++, text });
    else if (line.startsWith('-')) into?.push({ kind: 'deleted', oldLine: oldLine++, newLine: null, text });
    else if (line.startsWith(' ') || line === '')
      into?.push({ kind: 'same', oldLine: oldLine++, newLine: newLine++, text });
  }
  return hunks;
}
