/**
 * Measures the time from when builder/done.flag is written until the next agent's process runs, compared with just
 * spawning that process. The difference is the time that Dure takes to observe, seal, record, prepare and start.
 * Everything is real (`dure start`, the claude backend, its runner) except `claude`, which is replaced by a program
 * that reports when it wrote its flag and when it started.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { createProject, waitUntil } from './support/scratch-project.mjs';
import { line, median } from './support/statistics.mjs';

const RUNS = Number(process.env.BENCH_RUNS ?? 20);
const GOAL_MS = 250;

const claude = `const began = process.hrtime.bigint();
const { readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const config = JSON.parse(process.argv[process.argv.indexOf('--mcp-config') + 1]);
const [, , runDir, launch] = config.mcpServers.dure.args;
const { step } = JSON.parse(readFileSync(join(runDir, 'launches', launch + '.json'), 'utf8'));
const write = (path, text) => writeFileSync(join(runDir, path), text);
// An agent usually prints something after writing its last file.
const end = () => setTimeout(() => {
  console.log(JSON.stringify({ type: 'result', subtype: 'success', is_error: false, result: 'done', total_cost_usd: 0, modelUsage: {} }));
  process.exit(0);
}, 1000);
if (step === 'refine') {
  write('briefing/refined.md', '# Refined');
  write('briefing/clarifications.json', '[]');
  write('briefing/log.md', 'Nothing to add.');
  write('briefing/done.flag', '');
  end();
} else if (step === 'build') {
  write('builder/output/greeting.txt', 'hello');
  write('builder/log.md', 'Wrote it.');
  // By the time the flag appears, the driver has already seen the files above.
  setTimeout(() => {
    const flag = process.hrtime.bigint();
    write('builder/done.flag', '');
    write('builder/clock', String(flag));
    end();
  }, 500);
} else {
  write('verifier/clock', String(began));
  setInterval(() => {}, 1000);
}
`;

const clock = file => (existsSync(file) ? readFileSync(file, 'utf8') : '') || null;
const since = (from, to) => Number(BigInt(to) - BigInt(from)) / 1e6;

async function handOver(project, launcher) {
  const args = ['start', 'Write greeting.txt.', '--backend', 'claude', '--launcher', launcher];
  const { run_id } = JSON.parse(await project.dure([...args, '--detach', '--no-browser', '--json']));
  const dir = join(project.root, '.dure', 'runs', run_id);
  const next = await waitUntil('the next agent', () => clock(join(dir, 'verifier', 'clock')));
  const took = since(clock(join(dir, 'builder', 'clock')), next);
  await project.dure(['stop', run_id, '--json'], [0, 5]);
  return { took, dir };
}

/** Starts the next agent's process again (same program, arguments and folder), alone on an idle machine. */
async function bare({ env }, dir) {
  const { argv, cwd } = JSON.parse(readFileSync(join(dir, 'launches', '3.json'), 'utf8'));
  const before = clock(join(dir, 'verifier', 'clock'));
  const [program, ...args] = argv;
  const from = process.hrtime.bigint();
  const child = spawn(program, args, { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  const gone = new Promise(resolve => child.once('close', resolve));
  const began = await waitUntil('the process alone', () => {
    const now = clock(join(dir, 'verifier', 'clock'));
    return now !== before && now;
  });
  child.kill('SIGKILL');
  await gone;
  return since(from, began);
}

async function measure(launcher) {
  const project = createProject({ programs: { claude } });
  const [took, alone] = [[], []];
  try {
    await project.dure(['init', '--yes', '--json']);
    for (let run = 0; run < RUNS; run += 1) {
      const one = await handOver(project, launcher);
      took.push(one.took);
      alone.push(await bare(project, one.dir));
    }
  } finally {
    if (launcher === 'tmux') endTmux(project);
    await project.remove();
  }
  const more = median(took) - median(alone);
  console.log(line(`${launcher}: done.flag to the next agent's process`, took));
  console.log(line(`${launcher}: that process spawned alone`, alone));
  console.log(
    `${launcher}: ${more.toFixed(1)} ms more; the goal, under ${GOAL_MS} ms, is ${more < GOAL_MS ? 'met' : 'MISSED'}\n`,
  );
}

/** Ends the tmux server of the scratch project. Its socket is named after a hash of the project's path. */
function endTmux({ root }) {
  const name = createHash('sha256').update(realpathSync(root)).digest('hex').slice(0, 16);
  spawnSync('tmux', ['-S', `/tmp/dure-${process.getuid()}/${name}`, 'kill-server'], { stdio: 'ignore' });
}

await measure('process');
if (spawnSync('tmux', ['-V']).status === 0) await measure('tmux');
else console.log('tmux is not installed: not measured');
