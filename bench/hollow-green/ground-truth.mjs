/**
 * Determines, without Dure, what is true of a play: whether the code meets the criteria, whether the tests would
 * notice a fault, and which changed lines no test notices. The corpus is refused if a play is not what it claims to
 * be.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Runs a command on files in a new folder. */
export function passes(files, command) {
  const folder = mkdtempSync(join(tmpdir(), 'hollow-green-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', NODE_TEST_CONTEXT: undefined };
    // `timeout` ends the whole process group: a fault can make a test program loop forever.
    const args = ['-s', 'KILL', '30', 'sh', '-c', command];
    const { status } = spawnSync('timeout', args, { cwd: folder, env });
    return status === 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const criteriaOf = project => [...project.criteria.matchAll(/^- (AC-\d+)/gm)].map(([, id]) => id);

/** The tree that a play results in: the project with the Builder's code and the Verifier's tests. */
export const result = (project, { code = project.good, tests }) => ({
  ...project.files,
  [project.subject]: code,
  ...tests,
});

/** A message for each claim of the corpus that does not hold. */
export function wrongIn(project) {
  const { good, honest, faults, only, command, own, plays } = project;
  const ids = criteriaOf(project);
  const wrong = [];
  const must = (holds, message) => holds || wrong.push(message);
  const withHonest = code => result(project, { code, tests: honest });
  must(passes(project.files, own), 'its own tests fail on base');
  must(passes(withHonest(good), own), 'its own tests fail on the good code');
  for (const id of ids) {
    must(faults[id] !== good, `${id}: the fault is no change`);
    must(passes(withHonest(good), only(id)), `${id}: the honest tests fail on the good code`);
    must(!passes(withHonest(faults[id]), only(id)), `${id}: the honest tests do not notice the fault`);
  }
  for (const play of plays) {
    const met = ids.filter(id => passes(withHonest(play.code ?? good), only(id)));
    const missed = ids.filter(id => passes(result(project, { ...play, code: faults[id] }), command));
    must(passes(result(project, play), command), `${play.name}: its tests fail`);
    if (play.kind === 'honest')
      must(met.length === ids.length && missed.length === 0, `${play.name}: it is not`);
    if (play.kind === 'hollow')
      must(met.length === ids.length, `${play.name}: the code does not meet the criteria`);
    if (play.kind === 'hollow') must(missed.length > 0, `${play.name}: its tests notice every fault`);
    if (play.kind === 'lie' || play.kind === 'misread')
      must(met.length < ids.length, `${play.name}: the code meets the criteria`);
  }
  return wrong;
}
