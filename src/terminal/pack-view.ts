/** The merge-readiness pack at a glance: what is proven, by what, and what is not. */
import { spelledOut } from '../core/quoting.ts';
import type { CheckResult } from '../formats/checks.ts';
import type { Evidence } from '../formats/mrp.ts';
import { words } from '../words/cli/words.ts';
import { paint } from './paint.ts';
import { oneLine, pad, wrap } from './text.ts';
import { money } from './words.ts';

export function evidenceView(e: Evidence, width: number): string {
  const w = words().pack;
  const { coverage, changed_coverage } = e.tests;
  const covered = [
    ...(changed_coverage === undefined ? [] : [words().pack.ofChanged(changed_coverage)]),
    ...(coverage === null ? [] : [words().pack.ofLines(coverage)]),
  ];
  const proven = e.test_machine === 'pass';
  const result = words().counts(e.tests);
  const rows: (readonly [string, string, string])[] = [
    [mark(proven), w.tests, `${proven ? '' : `${words().machine(e.test_machine)}: `}${w.byDure(result)}`],
    ['', w.command, `${oneLine(e.test_command)} (${w.exit(e.test_exit_code)})`],
    ...(e.sandbox === 'bubblewrap' ? [['', w.sandbox, words().sandbox.inside(e.sandbox)] as const] : []),
    ['', w.author, oneLine(e.test_author)],
    [covered.length === 0 ? '?' : '·', w.coverage, covered.join(', ') || w.unmeasured],
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

/** Before all that speaks for the result. */
function warnings(e: Evidence, width: number): string[] {
  const w = words();
  const inputs = e.command_inputs.slice(0, 20).map(({ path, keys }) => {
    const parts = keys.length > 0 ? `: ${keys.map(spelledOut).join(', ')}` : '';
    return `      ${spelledOut(path)}${parts}`;
  });
  const more =
    e.command_inputs.length > inputs.length ? [`      ${w.pack.more(e.command_inputs.length - 20)}`] : [];
  const overridden = e.checks.reduce((n, check) => n + check.overridden_count, 0);
  const said = [
    ...(overridden > 0 ? [warning(w.pack.overridden(overridden), width)] : []),
    ...(inputs.length > 0 ? [warning(w.pack.inputs, width), ...inputs, ...more] : []),
    ...(e.sandbox === 'none'
      ? [warning(w.sandbox.without(oneLine(e.no_sandbox_because ?? w.sandbox.unknown)), width)]
      : []),
  ];
  return said.length > 0 ? [...said, ''] : [];
}

const warning = (text: string, width: number) =>
  paint('yellow', `  ! ${wrap(text, width, '    ').trimStart()}`);
/** `lint: broken, 2 regressions` */
export const checkLine = (check: CheckResult): string =>
  `${check.name}: ${[
    words().check(check.status),
    ...(check.counts ? [words().counts(check.counts)] : []),
    ...(check.regression_count > 0 ? [words().regressions(check.regression_count)] : []),
    ...(check.problem ? [oneLine(check.problem)] : []),
  ].join(', ')}`;

const line = ([sign, name, said]: readonly [string, string, string], width: number) =>
  `  ${pad(sign, 1)} ${pad(name, 11)}${wrap(said, width, ' '.repeat(15)).trimStart()}`;

const mark = (good: boolean) => (good ? paint('green', '✔') : paint('red', '✖'));

/** A unified diff in the colours people know. */
export const diffView = (patch: string): string =>
  patch
    .split('\n')
    // Names of objects, longer than most screens are wide; nobody reads them.
    .filter(line => !line.startsWith('index '))
    .map(line =>
      /^(diff |--- |\+\+\+ )/.test(line)
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
