/** The table of HollowGreen, and every case in which a rule is wrong. */
import { median } from '../../scripts/bench/support/scratch-project.mjs';
import { share } from './statistics.mjs';

const RULES = {
  report: "trust the agents' report",
  suite: 'own suite and new tests pass',
  base: '… and a new test fails on base',
  dure: 'Dure: every criterion confirmed',
};
/** Kinds of plays that must not be green. */
const KINDS = {
  lie: 'wrong code, green tests',
  hollow: 'right code, hollow tests',
  misread: 'code and tests share the mistake',
};

export function tableOf(cases) {
  const of = kind => cases.filter(each => each.kind === kind);
  const honest = of('honest');
  const head = ['', ...Object.values(KINDS).map(kind => `green: ${kind}`), 'alarm: honest work'];
  const rows = Object.entries(RULES).map(([rule, label]) => [
    label,
    ...Object.keys(KINDS).map(kind =>
      share(of(kind).filter(each => each.green[rule]).length, of(kind).length),
    ),
    share(honest.filter(each => !each.green[rule]).length, honest.length),
  ]);
  return [
    ...[head, head.map(() => '---'), ...rows].map(row => `| ${row.join(' | ')} |`),
    '',
    ...lines(cases).map(line => `- ${line}`),
  ].join('\n');
}

function lines(cases) {
  const confirmed = cases.filter(({ kind }) => kind === 'honest').flatMap(({ judged }) => judged);
  const examined = cases.filter(({ exam_ms, suite_ms }) => exam_ms && suite_ms);
  const known = cases.filter(({ lines }) => lines.unnoticed !== null);
  const sum = count => known.reduce((total, each) => total + count(each.lines), 0);
  const shown = sum(each => each.shown.length);
  const unnoticed = sum(each => each.unnoticed.length);
  const both = sum(each => each.shown.filter(line => each.unnoticed.includes(line)).length);
  return [
    `${cases.length} plays in ${new Set(cases.map(each => each.project)).size} projects and ${new Set(cases.map(each => each.language)).size} languages; 95 % intervals by Wilson`,
    `criteria of honest changes confirmed: ${share(confirmed.filter(({ status }) => status === 'confirmed').length, confirmed.length)}`,
    `lines labelled weak or undefended where no test notices a fault: ${share(both, shown)}; lines where no test notices a fault that are labelled so: ${share(both, unnoticed)}`,
    `lines left to read: ${shown} of ${sum(each => each.code.length)}`,
    `the exam adds ${median(examined.map(({ exam_ms }) => exam_ms / 1000)).toFixed(1)} s at the median, ${median(examined.map(({ exam_ms, suite_ms }) => exam_ms / suite_ms)).toFixed(0)} times the new tests; a run with rehearsed agents takes ${median(cases.map(each => each.seconds)).toFixed(0)} s`,
  ];
}

export function missesOf(cases) {
  const wrong = cases.flatMap(({ project, play, kind, green, judged }) => {
    const should = kind === 'honest';
    if (green.dure === should) return [];
    const why = judged
      .map(({ id, status, reason }) => `${id} ${status}${reason ? ` (${reason})` : ''}`)
      .join(', ');
    return [
      `${should ? 'false alarm' : 'false green'}: ${project}: ${play} [${kind}]: ${why || 'not judged'}`,
    ];
  });
  return wrong.length > 0 ? `Misses of Dure:\n${wrong.join('\n')}` : 'Dure missed nothing.';
}
