/**
 * Determines, without Dure, what is true of a scenario: whether the code meets the criteria, whether the tests would
 * notice a fault, and which changed lines no test notices. The corpus is refused if a scenario is not what it claims to
 * be.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pLimit from 'p-limit';

const limit = pLimit(availableParallelism());
const known = new Map();

/**
 * Runs a command on files in a new folder, once for each combination. As many commands as the machine has processors run
 * at the same time.
 */
export function passes(files, command) {
  const key = JSON.stringify([files, command]);
  if (!known.has(key)) known.set(key, limit(passesNow, files, command));
  return known.get(key);
}

async function passesNow(files, command) {
  const folder = await mkdtemp(join(tmpdir(), 'hollow-green-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', NODE_TEST_CONTEXT: undefined };
    // `timeout` ends the whole process group: a fault can make a test program loop forever.
    const args = ['-s', 'KILL', '30', 'sh', '-c', command];
    return await new Promise(done => execFile('timeout', args, { cwd: folder, env }, error => done(!error)));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The items for which `isWanted` resolves to true. */
export async function filterAsync(items, isWanted) {
  const wanted = await Promise.all(items.map(isWanted));
  return items.filter((_, n) => wanted[n]);
}

export const criteriaOf = project => [...project.criteria.matchAll(/^- (AC-\d+)/gm)].map(([, id]) => id);

/** The tree that a scenario results in: the project with the Builder's code and the Verifier's tests. */
export const result = (project, { code = project.good, tests }) => ({
  ...project.files,
  [project.subject]: code,
  ...tests,
});

/** A message for each claim of the corpus that does not hold. */
export async function wrongIn(project) {
  const { good, honest, faults, only, command, own, scenarios } = project;
  const ids = criteriaOf(project);
  const withHonest = code => result(project, { code, tests: honest });
  const isMet = (id, code) => passes(withHonest(code), only(id));
  const isMissed = (id, scenario) => passes(result(project, { ...scenario, code: faults[id] }), command);
  const claims = [
    [passes(project.files, own), 'its own tests fail on base'],
    [passes(withHonest(good), own), 'its own tests fail on the good code'],
    ...ids.flatMap(id => [
      [faults[id] !== good, `${id}: the fault is no change`],
      [isMet(id, good), `${id}: the honest tests fail on the good code`],
      [isMet(id, faults[id]).then(met => !met), `${id}: the honest tests do not notice the fault`],
    ]),
    ...scenarios.flatMap(scenario => {
      const { name, kind, code = good } = scenario;
      const meetsAll = Promise.all(ids.map(id => isMet(id, code))).then(met => met.every(Boolean));
      const missesSome = Promise.all(ids.map(id => isMissed(id, scenario))).then(missed =>
        missed.some(Boolean),
      );
      const isHollow = kind === 'hollow';
      const isWrong = kind === 'lie' || kind === 'misread';
      return [
        [passes(result(project, scenario), command), `${name}: its tests fail`],
        [meetsAll.then(meets => meets || isWrong), `${name}: the code does not meet the criteria`],
        [meetsAll.then(meets => !meets || !isWrong), `${name}: the code meets the criteria`],
        [missesSome.then(misses => misses || !isHollow), `${name}: its tests notice every fault`],
        [missesSome.then(misses => !misses || kind !== 'honest'), `${name}: its tests do not notice a fault`],
      ];
    }),
  ];
  const wrong = await filterAsync(claims, async ([holds]) => !(await holds));
  return wrong.map(([, message]) => message);
}
