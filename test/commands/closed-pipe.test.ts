/** A command that follows something exits when its output is closed, for example by `head`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdir } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Journal } from '../../src/core/run/run-store.ts';
import { openJournal } from '../../src/core/run/run-store.ts';
import type { RunFiles } from '../../src/formats/layout.ts';
import { bin, type TestProject, testProject } from '../helpers/test-project.ts';
import { prepareRun, STARTED } from './prepared-runs.ts';

const RUN = 'run-20260131-142201';
let project: TestProject;
let files: RunFiles;
let journal: Journal;
beforeEach(async () => {
  project = await testProject();
  await project.dure(['init', '--yes']);
  ({ files } = await prepareRun(project, RUN, STARTED));
  journal = await openJournal(files);
});
afterEach(() => project.remove());

/** More events than can happen before a command has read two of them, even on a very busy machine. */
const EVENTS = 500;

/** Runs a command that feeds a shell pipeline while `happens` is called; null if it does not exit. */
async function pipeline(command: string, happens: (n: number) => Promise<unknown>): Promise<string | null> {
  const shell = spawn('sh', ['-c', command], {
    cwd: project.root,
    env: project.env as NodeJS.ProcessEnv,
    detached: true,
  });
  let said = '';
  shell.stdout.setEncoding('utf8').on('data', chunk => {
    said += chunk;
  });
  let isClosed = false;
  const closed = once(shell, 'close').then(() => {
    isClosed = true;
  });
  for (let n = 1; n < EVENTS && !isClosed; n += 1) {
    await happens(n);
    await Promise.race([closed, pause(200)]);
  }
  if (isClosed) return said;
  process.kill(-shell.pid!, 'SIGKILL');
  return null;
}

const dure = `'${process.execPath}' '${bin}'`;
const event = (n: number) =>
  journal.append({
    at: new Date().toISOString(),
    type: 'agent.waits',
    agent: 'refiner',
    step: 'refine',
    launch: 1,
    until: new Date().toISOString(),
    message: `the ${n}th time`,
  } as Parameters<Journal['append']>[0]);

describe('a command whose output is closed early ends with its own exit status', () => {
  it.each([
    ['--help', 0],
    ['logs', 399],
  ])('dure %s', async (command, events) => {
    for (let n = 1; n <= events; n += 1) await event(n);
    const shell = spawn('bash', ['-c', `set -o pipefail; ${dure} ${command} | head -n 1 > /dev/null`], {
      cwd: project.root,
      env: project.env as NodeJS.ProcessEnv,
      stdio: 'ignore',
    });
    expect(await once(shell, 'close')).toEqual([0, null]);
  });
});

describe('a command that follows a run exits when its output is closed', () => {
  it.each(['logs --follow', 'logs --json --follow', 'logs --raw -f'])('dure %s', async command => {
    const said = await pipeline(`${dure} ${command} | head -n 2`, event);
    expect(said?.trim().split('\n')).toHaveLength(2);
  });

  it('dure logs --agent refiner --follow', async () => {
    await mkdir(files.logs, { recursive: true });
    const say = (n: number) => appendFile(files.stream('refiner', 1), `line ${n}\n`);
    expect(await pipeline(`${dure} logs --agent refiner -f | head -n 2`, say)).toBe('line 1\nline 2\n');
  });
});
