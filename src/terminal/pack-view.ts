/** The merge-readiness pack at a glance: what is proven, by what, and what is not. */
import type { Evidence } from '../formats/mrp.ts';
import { paint } from './paint.ts';
import { oneLine, pad, wrap } from './text.ts';
import { money } from './words.ts';

export function evidenceView(e: Evidence, width: number): string {
  const { total, passed, failed, skipped, coverage } = e.tests;
  const proven = e.test_machine === 'pass';
  const result = `${passed} of ${total} passed${failed ? `, ${failed} failed` : ''}${skipped ? `, ${skipped} skipped` : ''}`;
  const rows: [string, string, string][] = [
    [mark(proven), 'Tests', `${proven ? '' : `${e.test_machine}: `}${result}, run by Dure`],
    ['', 'Command', `${oneLine(e.test_command)} (exit ${e.test_exit_code ?? 'by signal'})`],
    ['', 'Written by', oneLine(e.test_author)],
    [coverage === null ? '?' : '·', 'Coverage', coverage === null ? 'not measured' : `${coverage}% of lines`],
    [
      mark(e.verdict === 'PASS'),
      'Verdict',
      `${e.verdict}${e.accepted_by_person ? ', accepted by you as it is' : ''}`,
    ],
    ['·', 'Iterations', String(e.iterations)],
    ['·', 'Decisions', e.decisions.length > 0 ? e.decisions.join(', ') : 'none'],
    [
      '·',
      'Cost',
      e.cost_usd === null ? 'unknown' : `${e.cost_complete ? '' : 'at least '}${money(e.cost_usd)}`,
    ],
    ['·', 'Tree', `${e.tree.slice(0, 12)} on ${e.base.slice(0, 12)}`],
    ['·', 'Files', `${e.files_changed.length} changed`],
  ];
  const files = e.files_changed.slice(0, 20).map(file => `      ${oneLine(file)}`);
  const more = e.files_changed.length > 20 ? [`      … ${e.files_changed.length - 20} more`] : [];
  return [...rows.map(row => line(row, width)), ...files, ...more].join('\n');
}

const line = ([sign, name, said]: readonly [string, string, string], width: number) =>
  `  ${pad(sign, 1)} ${pad(name, 11)}${wrap(said, width, ' '.repeat(15)).trimStart()}`;

const mark = (good: boolean) => (good ? paint('green', '✔') : paint('red', '✖'));

/** A unified diff in the colours people know. */
export const diffView = (patch: string): string =>
  patch
    .split('\n')
    .map(line =>
      /^(diff |index |--- |\+\+\+ )/.test(line)
        ? paint('bold', line)
        : line.startsWith('@@')
          ? paint('cyan', line)
          : line.startsWith('+')
            ? paint('green', line)
            : line.startsWith('-')
              ? paint('red', line)
              : line,
    )
    .join('\n');
