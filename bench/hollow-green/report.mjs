/** The HollowGreen table, and a list of every case in which a rule is wrong. */
import { median } from '../../scripts/bench/support/statistics.mjs';
import { share } from './statistics.mjs';

const RULES = {
  report: "trust the agents' report",
  suite: 'own suite and new tests pass',
  base: '… and a new test fails on base',
  dure: 'Dure: every criterion confirmed',
};
/** Kinds of scenarios that must not be green. */
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
  const judged = cases.flatMap(each => each.lines ?? []);
  const labelled = judged.filter(({ label }) => label !== null);
  const undefended = labelled.filter(({ label }) => label === 'undefended');
  const unnoticed = judged.filter(({ every }) => every);
  return [
    `${cases.length} scenarios in ${new Set(cases.map(each => each.project)).size} projects and ${new Set(cases.map(each => each.language)).size} languages; 95% Wilson intervals`,
    `criteria of honest changes confirmed: ${share(confirmed.filter(({ status }) => status === 'confirmed').length, confirmed.length)}`,
    `lines to read (weak or undefended): ${labelled.length} of ${judged.length}; a fault in the line goes unnoticed in ${share(labelled.filter(({ some }) => some).length, labelled.length)}`,
    `lines marked undefended in which every fault goes unnoticed: ${share(undefended.filter(({ every }) => every).length, undefended.length)}`,
    `lines in which every fault goes unnoticed and that are marked weak or undefended: ${share(unnoticed.filter(({ label }) => label !== null).length, unnoticed.length)}`,
    `medians: the exam adds ${median(examined.map(({ exam_ms }) => exam_ms / 1000)).toFixed(1)} s, ${median(examined.map(({ exam_ms, suite_ms }) => exam_ms / suite_ms)).toFixed(0)} times the duration of the new tests; a run with rehearsed agents takes ${median(cases.map(each => each.seconds)).toFixed(0)} s`,
  ];
}

export function missesOf(cases) {
  const wrong = cases.flatMap(({ project, scenario, kind, green, judged }) => {
    const should = kind === 'honest';
    if (green.dure === should) return [];
    const why = judged
      .map(({ id, status, reason }) => `${id} ${status}${reason ? ` (${reason})` : ''}`)
      .join(', ');
    return [
      `${should ? 'false alarm' : 'false green'}: ${project}: ${scenario} [${kind}]: ${why || 'not judged'}`,
    ];
  });
  return wrong.length > 0 ? `Misses of Dure:\n${wrong.join('\n')}` : 'Dure missed nothing.';
}

/** Each line about which Dure's result is wrong. */
export function linesMissed(cases) {
  const wrong = cases.flatMap(({ project, scenario, lines }) =>
    (lines ?? []).flatMap(({ line, label, every, some }) => {
      if (label === null && every)
        return [`not shown: ${project}: ${scenario}: line ${line}: every fault goes unnoticed`];
      if (label !== null && !some)
        return [`shown as ${label}: ${project}: ${scenario}: line ${line}: every fault is noticed`];
      return label === 'undefended' && !every
        ? [`shown as undefended: ${project}: ${scenario}: line ${line}: some faults are noticed`]
        : [];
    }),
  );
  return wrong.length > 0 ? `Wrong about lines:\n${wrong.join('\n')}` : 'Dure was right about every line.';
}
