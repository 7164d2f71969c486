/**
 * HollowGreen: measures how often a change is called green although it is wrong or its tests would not notice a
 * fault. Plays each case of the corpus through Dure and through three simpler rules, checks the corpus first, and
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
import { openProject } from './play-in-dure.mjs';
import { linesMissed, missesOf, tableOf } from './report.mjs';

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
  const wrong = wrongIn(project);
  if (wrong.length > 0) throw new Error(`The corpus is wrong: ${name}: ${wrong.join('; ')}`);
  const opened = await openProject(project);
  try {
    for (const play of project.plays) {
      const one = await judge(name, project, play, opened);
      console.error(
        `${name}: ${play.name}: ${one.phase}, ${one.green.dure ? 'green' : 'not green'}, ${one.seconds.toFixed(0)} s`,
      );
      cases.push(one);
    }
  } finally {
    await opened.close();
  }
}

async function judge(name, project, play, opened) {
  const { phase, seconds, suite_ms, exam_ms, criteria, lines } = await opened.run(play);
  const own = passes(result(project, play), project.own);
  const added = passes(result(project, play), project.command);
  const onBase = passes({ ...project.files, ...play.tests }, project.command);
  const judged = criteria?.criteria ?? [];
  const code = addedLines(project.files[project.subject], play.code ?? project.good);
  return {
    project: name,
    language: project.language,
    play: play.name,
    kind: play.kind,
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
    lines: phase === 'ready_for_merge' ? openLines(project, play, code, lines) : null,
    suite_ms,
    exam_ms,
  };
}

/** What `dure review` reports about the added lines, and what is true of them. */
function openLines(project, play, code, ranges) {
  const labels = labelsIn(ranges, project.subject);
  return code.flatMap(line => {
    const faults = faultsIn(project, play, line);
    if (faults.length === 0) return [];
    const label = labels.get(line) ?? null;
    const missed = fault => isUnnoticed(project, play, fault);
    const every = faults.every(missed);
    // Whether some faults go unnoticed is checked only where Dure says so, because each fault takes a run of the
    // tests.
    return { line, label, every, some: every || (label !== null && faults.some(missed)) };
  });
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
console.log(`${text}\n\n${cases.length} plays in ${((Date.now() - started) / 60_000).toFixed(1)} minutes`);
if (values.write) {
  const file = join(import.meta.dirname, '../../README.md');
  const [start, end] = ['<!-- hollow-green -->', '<!-- /hollow-green -->'];
  const readme = readFileSync(file, 'utf8');
  const [before, rest] = readme.split(start);
  writeFileSync(file, `${before}${start}\n${tableOf(cases)}\n${end}${rest.split(end)[1]}`);
}
