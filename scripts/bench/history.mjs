/** How long lists take with ten thousand finished runs, beside the same with ten. */

import { line, median } from './stage.mjs';
import { program, rehearsed } from './support/finished-runs.mjs';
import { inTurn } from './support/in-turn.mjs';

const ROUNDS = Number(process.env.BENCH_RUNS ?? 21);
const [FEW, MANY] = [10, 10_000];
const GOAL = 1.5;
const COMMANDS = ['status', 'status --json', 'history --limit 20', 'history --state failed'];

const project = rehearsed();
try {
  const folders = Object.fromEntries([FEW, MANY].map(count => [count, project.copy(count)]));
  const calls = Object.fromEntries(
    COMMANDS.flatMap(command =>
      [FEW, MANY].map(count => [
        `dure ${command}, ${count} runs`,
        { args: [program, ...command.split(' ')], cwd: folders[count] },
      ]),
    ),
  );
  const took = inTurn(calls, ROUNDS, project.env);
  for (const command of COMMANDS) {
    const [few, many] = [FEW, MANY].map(count => `dure ${command}, ${count} runs`);
    const ratio = median(took[many]) / median(took[few]);
    console.log(line(few, took[few]));
    console.log(
      `${line(many, took[many])}   ${ratio.toFixed(2)} x, goal ${GOAL}${ratio > GOAL ? ', MISSED' : ''}`,
    );
  }
} finally {
  await project.strike();
}
