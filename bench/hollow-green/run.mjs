/**
 * HollowGreen: measures how often a change is called green although it is wrong or its tests would not notice a
 * fault. Runs each scenario of the corpus through Dure and through three simpler rules, checks the corpus first, and
 * prints a table and every miss.
 *
 * npm run hollow-green [-- PROJECT ...] [--write]   --write puts the table into README.md
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { passes, result, wrongIn } from './ground-truth.mjs';
import { addedLines, faultsIn, isUnnoticed } from './mutants.mjs';
import { linesMissed, missesOf, tableOf } from './report.mjs';
import { openProject } from './run-in-dure.mjs';

const ALL = ['slugify', 'rate-limiter', 'durations', 'cache', 'versions', 'text-wrap'];
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean' } },
});
const names = positionals.length > 0 ? positionals : ALL;
const started = Date.now();
const cases = [];

for (const name of names) {
  const { default: project } = await import(`./projects/${name}.mjs`);
  const [program, ...args] = project.needs;
  if (spawnSync(program, args).status !== 0) {
    console.error(`${name}: left out, ${program} ${args.join(' ')} fails`);
    continue;
  }
  const wrong = await wrongIn(project);
  if (wrong.length > 0) throw new Error(`The corpus is wrong: ${name}: ${wrong.join('; ')}`);
  const opened = await openProject(project);
  try {
    for (const scenario of project.scenarios) {
      const one = await judge(name, project, scenario, opened);
      console.error(
        `${name}: ${scenario.name}: ${one.phase}, ${one.green.dure ? 'green' : 'not green'}, ${one.seconds.toFixed(0)} s`,
      );
      cases.push(one);
    }
  } finally {
    await opened.close();
  }
}

async function judge(name, project, scenario, opened) {
  const { phase, seconds, suite_ms, exam_ms, criteria, lines } = await opened.run(scenario);
  const [own, added, onBase] = await Promise.all([
    passes(result(project, scenario), project.own),
    passes(result(project, scenario), project.command),
    passes({ ...project.files, ...scenario.tests }, project.command),
  ]);
  const judged = criteria?.criteria ?? [];
  const code = addedLines(project.files[project.subject], scenario.code ?? project.good);
  return {
    project: name,
    language: project.language,
    scenario: scenario.name,
    kind: scenario.kind,
    phase,
    seconds,
    judged,
    green: {
      report: true,
      suite: own && added,
      base: own && added && !onBase,
      dure:
        phase === 'ready_for_merge' &&
        judged.length > 0 &&
        judged.every(({ status }) => status === 'confirmed'),
    },
    lines: phase === 'ready_for_merge' ? await openLines(project, scenario, code, lines) : null,
    suite_ms,
    exam_ms,
  };
}

/** What `dure review` reports about the added lines, and what is true of them. */
async function openLines(project, scenario, code, ranges) {
  const labels = labelsIn(ranges, project.subject);
  const lines = code.map(async line => {
    const label = labels.get(line) ?? null;
    const faults = await faultsIn(project, scenario, line);
    const missed = [];
    for (const fault of faults) {
      missed.push(await isUnnoticed(project, scenario, fault));
      // Each fault takes a run of the tests. Whether some go unnoticed matters only where Dure says so.
      if (label === null && missed.includes(false)) break;
    }
    if (faults.length === 0) return [];
    return [{ line, label, every: !missed.includes(false), some: missed.includes(true) }];
  });
  return (await Promise.all(lines)).flat();
}

/** `weak` or `undefended`, by line. */
function labelsIn(ranges, path) {
  const open = ranges.filter(
    ({ file, side, defence }) => file === path && side === 'new' && ['weak', 'undefended'].includes(defence),
  );
  return new Map(
    open.flatMap(({ first, last, defence }) =>
      Array.from({ length: last - first + 1 }, (_, n) => [first + n, defence]),
    ),
  );
}

const text = [tableOf(cases), missesOf(cases), linesMissed(cases)].join('\n\n');
console.log(
  `${text}\n\n${cases.length} scenarios in ${((Date.now() - started) / 60_000).toFixed(1)} minutes`,
);
if (values.write) {
  const file = join(import.meta.dirname, '../../README.md');
  const [start, end] = ['<!-- hollow-green -->', '<!-- /hollow-green -->'];
  const readme = readFileSync(file, 'utf8');
  const [before, rest] = readme.split(start);
  writeFileSync(file, `${before}${start}\n${tableOf(cases)}\n${end}${rest.split(end)[1]}`);
}
