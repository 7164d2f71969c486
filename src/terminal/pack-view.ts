/** A summary of the merge-readiness pack: what is proven and how, and what is not. */

import { spelledOut, visible } from '../core/policy/markdown-quote.ts';
import type { CheckResult } from '../formats/checks.ts';
import { kindOf, unquoted } from '../formats/git-name.ts';
import type { Evidence } from '../formats/mrp.ts';
import { plainText } from '../formats/plain-text.ts';
import { words } from '../words/cli/language.ts';
import { money } from '../words/money.ts';
import { paint } from './paint.ts';
import { oneLineText, pad, wrap } from './text.ts';

export function evidenceView(e: Evidence, width: number): string {
  const w = words().pack;
  const { coverage, changed_coverage, unmeasured } = e.tests;
  const covered = [
    ...(changed_coverage === undefined ? [] : [words().pack.ofChanged(changed_coverage)]),
    ...(coverage === null ? [] : [words().pack.ofLines(coverage)]),
  ];
  const proven = e.test_machine === 'pass';
  const result = words().counts(e.tests);
  const rows: (readonly [string, string, string])[] = [
    [mark(proven), w.tests, `${proven ? '' : `${words().machine(e.test_machine)}: `}${w.byDure(result)}`],
    ['', w.command, `${oneLineText(e.test_command)} (${w.exit(e.test_exit_code)})`],
    ...(e.sandbox === 'bubblewrap' ? [['', w.sandbox, words().sandbox.inside(e.sandbox)] as const] : []),
    ['', w.author, oneLineText(e.test_author)],
    ...(e.agents_sandbox && e.agents_sandbox !== 'none'
      ? [['·', w.agents, words().sandbox.inside(e.agents_sandbox)] as const]
      : []),
    [covered.length === 0 ? '?' : '·', w.coverage, covered.join(', ') || w.unmeasured],
    ...(unmeasured ?? []).map((path): [string, string, string] => ['?', '', w.inNoReport(oneLineText(path))]),
    ...e.checks.map((check, n): [string, string, string] => [
      mark(check.status === 'pass'),
      n === 0 ? w.checks : '',
      checkLine(check),
    ]),
    [
      mark(e.verdict === 'PASS'),
      w.verdict,
      `${e.verdict}${e.accepted_by_person ? `, ${proven ? w.accepted : w.withoutProof}` : ''}`,
    ],
    ['·', w.iterations, String(e.iterations)],
    ['·', w.decisions, e.decisions.length > 0 ? e.decisions.join(', ') : w.none],
    [
      '·',
      w.cost,
      e.cost_usd === null
        ? w.unknown
        : e.cost_complete
          ? money(e.cost_usd)
          : words().atLeast(money(e.cost_usd)),
    ],
    ['·', w.tree, w.on(e.tree.slice(0, 12), e.base.slice(0, 12))],
    ['·', w.files, w.changed(e.files_changed.length)],
  ];
  const files = e.files_changed.slice(0, 20).map(file => `      ${spelledOut(file)}`);
  const more = e.files_changed.length > 20 ? [`      ${w.more(e.files_changed.length - 20)}`] : [];
  return [...warnings(e, width), ...rows.map(row => line(row, width)), ...files, ...more].join('\n');
}

/** Warnings are shown before the evidence. */
function warnings(e: Evidence, width: number): string[] {
  const w = words();
  const inputs = e.command_inputs.slice(0, 20).map(({ path, keys }) => {
    const parts = keys.length > 0 ? `: ${keys.map(spelledOut).join(', ')}` : '';
    return `      ${spelledOut(path)}${parts}`;
  });
  const more =
    e.command_inputs.length > inputs.length ? [`      ${w.pack.more(e.command_inputs.length - 20)}`] : [];
  const names = (e.equal_names ?? []).slice(0, 20).map(group => `      ${group.map(spelledOut).join(', ')}`);
  const overridden = e.checks.reduce((n, check) => n + check.overridden_count, 0);
  const lines = [
    ...(overridden > 0 ? [warning(w.pack.overridden(overridden), width)] : []),
    ...(inputs.length > 0 ? [warning(w.pack.inputs, width), ...inputs, ...more] : []),
    ...(names.length > 0 ? [warning(w.pack.equalNames, width), ...names] : []),
    ...(e.sandbox === 'none'
      ? [warning(w.sandbox.without(oneLineText(e.no_sandbox_because ?? w.sandbox.unknown)), width)]
      : []),
    ...(e.agents_sandbox === 'none' ? [warning(w.sandbox.agentsWithout, width)] : []),
  ];
  return lines.length > 0 ? [...lines, ''] : [];
}

const warning = (text: string, width: number) =>
  paint('yellow', `  ! ${wrap(text, width, '    ').trimStart()}`);
/** `lint: broken, 2 regressions` */
export const checkLine = (check: CheckResult): string =>
  `${check.name}: ${[
    words().check(check.status),
    ...(check.counts ? [words().counts(check.counts)] : []),
    ...(check.regression_count > 0 ? [words().regressions(check.regression_count)] : []),
    ...(check.problem ? [oneLineText(check.problem)] : []),
  ].join(', ')}`;

const line = ([sign, name, said]: readonly [string, string, string], width: number) =>
  `  ${pad(sign, 1)} ${pad(name, 11)}${wrap(said, width, ' '.repeat(15)).trimStart()}`;

const mark = (good: boolean) => (good ? paint('green', '✔') : paint('red', '✖'));

/** A unified diff in the usual colours. Names and characters that hide are spelled out, and kinds of files are named. */
export const diffView = (patch: string): string =>
  patch
    .split('\n')
    // Skips index lines: object names are long and not useful here.
    .filter(line => !line.startsWith('index '))
    .map(line => colored(visible(line)))
    .join('\n');

function colored(line: string): string {
  if (line.startsWith('@@')) return paint('cyan', line);
  if (/^(diff |--- |\+\+\+ |rename |copy )/.test(line)) return paint('bold', named(line));
  if (/^(new file |deleted file |old |new )mode /.test(line)) return paint('yellow', withKind(line));
  if (line.startsWith('+')) return paint('green', line);
  return line.startsWith('-') ? paint('red', line) : line;
}

/** `"b/a\342\200\256.ts"` -> `b/a⟨U+202E⟩.ts` */
const named = (line: string): string =>
  line.replace(/"(?:[^"\\]|\\.)*"/g, name => spelledOut(unquoted(name)));

function withKind(line: string): string {
  const kind = kindOf(line.split(' ').at(-1)!);
  return kind ? `${line} (${words().pack.kind[kind]})` : line;
}

/** The summary as written; each line of quoted text is marked so that it cannot pass for text from Dure. */
export const summaryView = (summary: string): string =>
  plainText(summary).replace(
    /^( *)(`{3,})quote\n([\s\S]*?)\n\1\2$/gm,
    (_, indent: string, _fence, quoted: string) =>
      quoted
        .split('\n')
        .map(line => `${indent}> ${line.slice(indent.length)}`)
        .join('\n'),
  );
