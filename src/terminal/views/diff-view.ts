/**
 * Formats a unified diff for a terminal, in the usual colours. A margin shows which changed lines the tests defend.
 * Spells out hidden characters in names and lines, and adds the kind of a file (such as a link) to its mode.
 */
import { LETTERS } from '../../core/policy/criteria/lines-defended-by-tests.ts';
import { spelledOut, visible } from '../../core/text/markdown-quote.ts';
import { fileKindOfMode } from '../../formats/changed-file-stats.ts';
import type { DefendedLines } from '../../formats/exam/exam-units-and-faults.ts';
import { unquoteGitPath } from '../../formats/text/unquote-git-path.ts';
import { words } from '../../words/cli/load-language.ts';
import { paint } from '../paint.ts';

type Side = DefendedLines['side'];
type LineOf = (side: Side, file: string, line: number) => DefendedLines | undefined;

/** `lines` is null if no line was examined; the diff then has no margin. */
export function diffView(patch: string, lines: readonly DefendedLines[] | null): string {
  const find = lines && finder(lines);
  return [...(find ? [legend(), ''] : []), ...shown(patch, find)].join('\n');
}

const PAINT = { defended: 'green', weak: 'yellow', undefended: 'red', unknown: 'dim' } as const;
const letter = (defence: DefendedLines['defence']) => paint(PAINT[defence], LETTERS[defence]);

const legend = (): string =>
  (['defended', 'weak', 'undefended', 'unknown'] as const)
    .map(defence => `${letter(defence)} ${words().lines.defence[defence]}`)
    .join('  ');

function finder(lines: readonly DefendedLines[]): LineOf {
  const found = new Map<string, DefendedLines>();
  for (const range of lines)
    for (let line = range.first; line <= range.last; line += 1)
      found.set(`${range.side} ${line} ${range.file}`, range);
  return (side, file, line) => found.get(`${side} ${line} ${file}`);
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

function* shown(patch: string, find: LineOf | null): Generator<string> {
  const file = { old: '', new: '' };
  const next = { old: 0, new: 0 };
  const left = { old: 0, new: 0 };
  for (const line of patch.split('\n')) {
    // The line counts of the hunk distinguish a changed line that begins with `--` from a file header.
    const side: Side = line.startsWith('-') ? 'old' : 'new';
    if (left[side] > 0 && /^[-+]/.test(line)) {
      const range = find?.(side, file[side], next[side]);
      const margin = !find ? '' : range ? `${letter(range.defence)} ` : '  ';
      yield margin + paint(side === 'old' ? 'red' : 'green', visible(line));
      if (range && next[side] === range.last) yield* remark(range);
      next[side] += 1;
      left[side] -= 1;
    } else if (line.startsWith('\\')) yield `${find ? '  ' : ''}${line}`;
    else if (left.old > 0 && left.new > 0) {
      yield `${find ? '  ' : ''}${visible(line)}`;
      for (const each of ['old', 'new'] as const) {
        next[each] += 1;
        left[each] -= 1;
      }
    } else {
      const [, old, oldCount = '1', fresh, freshCount = '1'] = HUNK.exec(line) ?? [];
      if (old !== undefined) {
        Object.assign(next, { old: Number(old), new: Number(fresh) });
        Object.assign(left, { old: Number(oldCount), new: Number(freshCount) });
      } else if (line.startsWith('--- ')) file.old = nameIn(line);
      else if (line.startsWith('+++ ')) file.new = nameIn(line);
      // Object names are long and not useful here.
      if (!line.startsWith('index ')) yield head(visible(line));
    }
  }
}

/**
 * Says why the lines of a range are weak or undefended, and whether they only moved. The remark follows the last line
 * of the range. No line of a diff starts the way a remark does.
 */
function* remark(range: DefendedLines): Generator<string> {
  if (range.defence === 'weak' || range.defence === 'undefended' || range.moved)
    yield paint('dim', `  ↳ ${visible(words().lines.why(range))}`);
}

/** `+++ "b/a\303\251.ts"` -> `aé.ts` */
const nameIn = (line: string): string =>
  unquoteGitPath(line.slice(4).replace(/\t$/, '')).replace(/^[ab]\//, '');

function head(line: string): string {
  if (line.startsWith('@@')) return paint('cyan', line);
  if (/^(diff |--- |\+\+\+ |rename |copy )/.test(line)) return paint('bold', named(line));
  if (/^(new file |deleted file |old |new )mode /.test(line)) return paint('yellow', withKind(line));
  return line;
}

/** `"b/a\342\200\256.ts"` -> `b/a⟨U+202E⟩.ts` */
const named = (line: string): string =>
  line.replace(/"(?:[^"\\]|\\.)*"/g, name => spelledOut(unquoteGitPath(name)));

function withKind(line: string): string {
  const kind = fileKindOfMode(line.split(' ').at(-1)!);
  return kind ? `${line} (${words().pack.kind[kind]})` : line;
}
