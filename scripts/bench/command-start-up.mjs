/** Measures how long commands take compared with `node -e 0`, the lower bound. The ratio compares the medians. */

import { program, rehearsedProject } from './support/finished-runs.mjs';
import { inTurn } from './support/measure-alternately.mjs';
import { line, median } from './support/statistics.mjs';

const ROUNDS = Number(process.env.BENCH_RUNS ?? 21);
const BARE = 'node -e 0';
const GOALS = {
  '--version': 1.6,
  'status --json': 2.5,
  "__complete -- status ''": 2.5,
  status: 6,
  history: 6,
  logs: 6,
  '--help': 6,
  'completion bash': 6,
  'config check': 6,
  plugins: 6,
};

const project = rehearsedProject();
try {
  const wordsOf = name => name.split(' ').map(word => (word === "''" ? '' : word));
  const calls = {
    [BARE]: { args: ['-e', '0'], cwd: project.root },
    ...Object.fromEntries(
      Object.keys(GOALS).map(name => [name, { args: [program, ...wordsOf(name)], cwd: project.root }]),
    ),
  };
  const took = inTurn(calls, ROUNDS, project.env);
  console.log(line(BARE, took[BARE]));
  for (const [name, goal] of Object.entries(GOALS)) {
    const ratio = median(took[name]) / median(took[BARE]);
    console.log(
      `${line(`dure ${name}`, took[name])}   ${ratio.toFixed(2)} x bare, goal ${goal}${ratio > goal ? ', MISSED' : ''}`,
    );
  }
} finally {
  await project.remove();
}
