/** A run folder with special characters in its path, and a runner that only reports that it ran. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { onTestFinished } from 'vitest';
import type { Identity } from '../../../src/formats/launch.ts';
import { identityOf, signalProcess } from '../../../src/process/identity.ts';

/** Claims its launch, reports its identity and arguments, and runs until `launches/<n>.end` exists. */
const RUNNER = `
const { existsSync, openSync, renameSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const [runDir, launch] = process.argv.slice(2);
const at = name => join(runDir, 'launches', launch + name);
try { openSync(at('.claimed'), 'wx'); } catch { console.log('claimed already'); process.exit(3); }
process.on('SIGHUP', () => { writeFileSync(at('.hangup'), ''); process.exit(129); });
console.log('launch ' + launch + ' is running');
writeFileSync(at('.tmp'), JSON.stringify({ pid: process.pid, argv: process.argv.slice(2), cwd: process.cwd() }));
renameSync(at('.tmp'), at('.here'));
setInterval(() => { if (existsSync(at('.end'))) { console.log('launch ' + launch + ' ends'); process.exit(0); } }, 20);
`;

export interface Ran {
  readonly pid: number;
  readonly argv: string[];
  readonly cwd: string;
}

export async function makePlace(name = `it's a "run" $(touch x); #{pid} #(touch y) 100%;`) {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'dure-launch-')));
  const projectRoot = join(home, name);
  const runDir = join(projectRoot, '.dure', 'runs', 'run-20260131-142233');
  const runner = join(projectRoot, 'runner.cjs');
  await mkdir(join(runDir, 'launches'), { recursive: true });
  await mkdir(join(runDir, 'builder', 'output'), { recursive: true });
  await writeFile(runner, RUNNER);
  const started: Identity[] = [];
  onTestFinished(async () => {
    for (const identity of started) signalProcess(identity, 'SIGKILL');
    await rm(home, { recursive: true, force: true, maxRetries: 20 });
  });
  const at = (launch: number, what: string) => join(runDir, 'launches', `${launch}.${what}`);
  return {
    home,
    projectRoot,
    runDir,
    runner,
    /** Waits until the runner of this launch is running. */
    async ran(launch: number): Promise<Ran & { identity: Identity }> {
      await until(() => existsSync(at(launch, 'here')));
      const told = JSON.parse(await readFile(at(launch, 'here'), 'utf8')) as Ran;
      const identity = identityOf(told.pid);
      if (!identity) throw new Error(`the runner of launch ${launch} is gone`);
      started.push(identity);
      return { ...told, identity };
    },
    end: (launch: number) => writeFile(at(launch, 'end'), ''),
    hungUp: (launch: number) => existsSync(at(launch, 'hangup')),
    /** Names of all files below the folder. */
    everything: () => readdirSync(home, { recursive: true, encoding: 'utf8' }),
  };
}

/** A driver in a separate process: starts one launch with this launcher and keeps running. */
export async function startDriver(
  place: { home: string },
  launcher: string,
  launch: { role: string; launch: number },
) {
  const [entry, program] = [join(place.home, 'driver.ts'), join(place.home, 'driver.cjs')];
  const launchers = new URL('../../../src/agents/launchers/', import.meta.url).pathname;
  await writeFile(
    entry,
    `import { processLauncher } from ${JSON.stringify(`${launchers}process-launcher.ts`)};
     import { tmuxLauncher } from ${JSON.stringify(`${launchers}tmux-launcher.ts`)};
     setInterval(() => {}, 1000);
     ${launcher}.start(${JSON.stringify(launch)});`,
  );
  const bundle = await rolldown({ input: entry, platform: 'node', logLevel: 'silent' });
  await bundle.write({ file: program, format: 'cjs' });
  await bundle.close();
  const driver = spawn(process.execPath, [program], { detached: true, stdio: 'ignore' });
  const ended = once(driver, 'exit');
  return {
    /** Kills the driver's whole process group. */
    async kill() {
      process.kill(-driver.pid!, 'SIGKILL');
      await ended;
    },
  };
}

export async function until(holds: () => boolean | Promise<boolean>, limit = 45_000): Promise<void> {
  const end = Date.now() + limit;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`it did not come to hold within ${limit} ms: ${holds}`);
    await new Promise(wake => setTimeout(wake, 25));
  }
}
