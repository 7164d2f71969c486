/**
 * Plays whole rehearsal runs in real processes, several at a time, under random faults: kills, power cuts,
 * full and failing disks, clock steps, damaged files. The seed and the run number determine the faults of
 * each run; when they hit depends on the machine. A failed run is kept. `--only N` repeats one run.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { examineMachine } from './torture/available-faults.mjs';
import { planOf, tortureRun } from './torture/torture-run.mjs';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Date.now() % 100_000) },
    'at-once': { type: 'string', default: '4' },
    only: { type: 'string' },
  },
});
const seed = Number(values.seed);
const until = Date.now() + Number(values.minutes) * 60_000;
const base = mkdtempSync(join(tmpdir(), 'dure-torture-'));
const means = examineMachine(base, text => console.log(text));
console.log(`seed ${seed}, ${values.minutes} minutes, ${values['at-once']} runs at a time`);

const ended = [];
async function one(n) {
  const found = await tortureRun(base, seed, n, means);
  ended.push(found);
  const bad = [...found.losses, ...found.doubles, ...found.falseGreens];
  if (bad.length === 0) return;
  const { launcher, faults } = planOf(seed, n, means);
  console.log(`run ${n} (${launcher}; ${faults.map(({ name }) => name).join(', ')}): ${bad.join('; ')}`);
  console.log(
    `  kept in ${join(base, `run-${n}`)}; what the person saw: ${join(base, 'outside', `run-${n}.log`)}`,
  );
}

if (values.only === undefined) {
  let next = 0;
  await Promise.all(
    Array.from({ length: Number(values['at-once']) }, async () => {
      while (Date.now() < until) {
        next += 1;
        await one(next);
      }
    }),
  );
} else await one(Number(values.only));

const sum = of => ended.reduce((total, found) => total + of(found), 0);
const [losses, doubles, falseGreens] = ['losses', 'doubles', 'falseGreens'].map(key =>
  sum(found => found[key].length),
);
console.log(
  `${ended.length} runs, ${sum(found => found.faults)} faults, ${losses} losses, ${doubles} double launches, ${falseGreens} false greens`,
);
if (losses + doubles + falseGreens > 0) process.exitCode = 1;
else rmSync(base, { recursive: true, force: true });
