/** Parses the acceptance criteria of a briefing. Pure. */
import { type Criterion, MAX_CRITERIA, MAX_TEXT_LENGTH } from './acceptance-criteria.ts';

const HEADING = /^## Acceptance criteria\s*$/i;

const FIRST_LINE = /^- (AC-[1-9]\d?)(?: \((keeps|look)\))?: (\S.*)$/;

export type ParsedCriteria =
  | { readonly list: readonly Criterion[] }
  /** `line` counts from 1. */
  | { readonly line: number; readonly problem: string };

/** Null if the briefing has no section for acceptance criteria. */
export function parseCriteria(briefing: string): ParsedCriteria | null {
  const lines = briefing.split(/\r?\n/);
  const headings = headingsIn(lines);
  const [start, second] = headings.filter(at => HEADING.test(lines[at]!));
  if (start === undefined) return null;
  if (second !== undefined)
    return { line: second + 1, problem: 'there is more than one section `## Acceptance criteria`' };
  const end = headings.find(at => at > start) ?? lines.length;
  const list: { -readonly [key in keyof Criterion]: Criterion[key] }[] = [];
  for (let at = start + 1; at < end; at += 1) {
    const line = lines[at]!.trimEnd();
    const wrong = (problem: string) => ({ line: at + 1, problem });
    const [, id, kind, text] = FIRST_LINE.exec(line) ?? [];
    const last = list.at(-1);
    if (id !== undefined) {
      const expected = `AC-${list.length + 1}`;
      if (id !== expected)
        return wrong(`expected ${expected}, found ${id}: number them from AC-1 without gaps`);
      if (list.length === MAX_CRITERIA) return wrong(`there are more than ${MAX_CRITERIA} criteria`);
      list.push({ id, kind: (kind as Criterion['kind'] | undefined) ?? 'behaviour', text: text! });
    } else if (/^ {2}\S/.test(line) && last) last.text += ` ${line.trim()}`;
    else if (line !== '')
      return wrong(
        'expected `- AC-1: TEXT`, `- AC-1 (keeps): TEXT` or `- AC-1 (look): TEXT`, and further lines of a criterion indented by two spaces',
      );
    if ((list.at(-1)?.text.length ?? 0) > MAX_TEXT_LENGTH)
      return wrong(`${list.at(-1)!.id} has more than ${MAX_TEXT_LENGTH} characters`);
  }
  return list.length > 0 ? { list } : { line: start + 1, problem: 'the section contains no criteria' };
}

/** Finds the lines that are headings of the first two levels, outside code blocks. */
function headingsIn(lines: readonly string[]): number[] {
  let fence: string | null = null;
  return lines.flatMap((line, at) => {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== null) {
      if (mark?.startsWith(fence) && /^ {0,3}[`~]+\s*$/.test(line)) fence = null;
      return [];
    }
    if (mark !== undefined) fence = mark;
    return /^##? /.test(line) ? [at] : [];
  });
}
