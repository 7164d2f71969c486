/** The questions asked in a terminal before any of the user's data is changed or removed. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findSandbox } from '../../src/process/sandbox/find-sandbox.ts';
import { bin, type TestProject, testProject } from '../helpers/test-project.ts';
import { FAILED, prepareRun } from './prepared-runs.ts';

/** util-linux's `script` gives the command its own terminal. */
const hasTerminal = spawnSync('script', ['--version']).status === 0 && process.platform === 'linux';

const sandbox = await findSandbox(process.env);

let project: TestProject;
beforeEach(async () => {
  project = await testProject({ '.prettierrc': '{}\n' });
});
afterEach(() => project.remove());

/** Runs a command in a terminal and types each answer when its question appears. Returns everything that was shown. */
function answering(
  args: readonly string[],
  answers: readonly (readonly [question: string, answer: string])[],
) {
  const command = [process.execPath, bin, ...args].map(word => `'${word}'`).join(' ');
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd: project.root,
    env: { ...project.env, TERM: 'xterm', NO_COLOR: '1' } as NodeJS.ProcessEnv,
  });
  const open = [...answers];
  let shown = '';
  let read = 0;
  child.stdout.setEncoding('utf8').on('data', text => {
    shown += stripVTControlCharacters(text);
    const at = open[0] ? shown.indexOf(open[0][0], read) : -1;
    if (at < 0) return;
    read = at + open[0]![0].length;
    child.stdin.write(`${open.shift()![1]}\n`);
  });
  return new Promise<{ code: number | null; shown: string; unasked: number }>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', code => resolve({ code, shown, unasked: open.length }));
  });
}

describe.skipIf(!hasTerminal)('in a terminal (needs script(1) from util-linux)', () => {
  it('init asks for consent, and does not edit the files of other tools', async () => {
    const asked = await answering(['init', '--sandbox', 'off'], [['Type "allow"', 'not now']]);
    expect(asked).toMatchObject({ code: 0, unasked: 0, shown: expect.stringContaining('.prettierignore') });
    expect(existsSync(join(project.root, '.prettierignore'))).toBe(false);
  });

  it('init asks again if it was interrupted at a question', async () => {
    const init = ['init', '--sandbox', 'off'];
    const interrupted = await answering(init, [['Type "allow"', '\x03']]);
    expect(interrupted).toMatchObject({ unasked: 0, shown: expect.not.stringContaining('global.json') });
    expect(await answering(init, [['Type "allow"', 'allow']])).toMatchObject({ code: 0, unasked: 0 });
    const config = JSON.parse(await readFile(join(project.files.config, 'global.json'), 'utf8'));
    expect(config).toMatchObject({ allow_bypass: true });
  });

  it.skipIf(sandbox.kind === 'none')('init proposes the sandbox, which needs no consent', async () => {
    const asked = await answering(['init'], [['Run agents in a sandbox', 'y']]);
    expect(asked).toMatchObject({ code: 0, unasked: 0, shown: expect.not.stringContaining('"allow"') });
    const config = JSON.parse(await readFile(join(project.files.config, 'global.json'), 'utf8'));
    expect(config).toMatchObject({ sandbox: { mode: 'standard' } });
  });

  it('clean lists the runs and asks before it removes them', async () => {
    const run = 'run-20260131-142201';
    await project.dure(['init', '--yes']);
    await prepareRun(project, run, FAILED);
    const no = await answering(['clean'], [['Remove this run?', 'n']]);
    expect(no).toMatchObject({ code: 0, unasked: 0, shown: expect.stringContaining(run) });
    expect(existsSync(project.files.run(run))).toBe(true);
    expect(await answering(['clean'], [['Remove this run?', 'y']])).toMatchObject({ code: 0, unasked: 0 });
    expect(existsSync(project.files.run(run))).toBe(false);
  });
});
