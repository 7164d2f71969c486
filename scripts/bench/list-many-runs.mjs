/** Measures how fast runs are listed with ten thousand finished runs, compared with ten. */

import { program, rehearsedProject } from './support/finished-runs.mjs';
import { inTurn } from './support/measure-alternately.mjs';
import { line, median } from './support/statistics.mjs';

const ROUNDS = Number(process.env.BENCH_RUNS ?? 21);
const [FEW, MANY] = [10, 10_000];
/** The highest acceptable ratio of the time with many runs to that with few; null if the command reads every run. */
const GOALS = {
  status: 1.5,
  'status --json': 1.5,
  'history --limit 20': 1.5,
  'history --state failed': null,
};

const project = rehearsedProject();
try {
  const folders = Object.fromEntries([FEW, MANY].map(count => [count, project.copy(count)]));
  const calls = Object.fromEntries(
    Object.keys(GOALS).flatMap(command =>
      [FEW, MANY].map(count => [
        `dure ${command}, ${count} runs`,
        { args: [program, ...command.split(' ')], cwd: folders[count] },
      ]),
    ),
  );
  const took = inTurn(calls, ROUNDS, project.env);
  for (const [command, goal] of Object.entries(GOALS)) {
    const [few, many] = [FEW, MANY].map(count => `dure ${command}, ${count} runs`);
    const ratio = median(took[many]) / median(took[few]);
    console.log(line(few, took[few]));
    console.log(
      `${line(many, took[many])}   ${ratio.toFixed(2)} x${goal === null ? '' : `, goal ${goal}${ratio > goal ? ', MISSED' : ''}`}`,
    );
  }
} finally {
  await project.remove();
}
