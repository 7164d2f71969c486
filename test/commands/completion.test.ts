import { execFile, execFileSync } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BUILT_IN_BACKENDS } from '../helpers/built-in-plugins.ts';
import { bin, type TestProject, testProject } from '../helpers/test-project.ts';
import { ASKED, FAILED, prepareRun } from './prepared-runs.ts';

const OLD = 'run-20260131-142201';
const NEW = 'run-20260131-142202';
let project: TestProject;
let path: string;

beforeAll(async () => {
  project = await testProject();
  await project.dure(['init', '--yes']);
  await prepareRun(project, OLD, FAILED);
  await prepareRun(project, NEW, ASKED);
  await writeFile(
    join(project.parentFolder, 'dure'),
    `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`,
  );
  await chmod(join(project.parentFolder, 'dure'), 0o755);
  path = `${project.parentFolder}:${process.env['PATH']}`;
});
afterAll(() => project.remove());

const candidates = async (...words: string[]) =>
  (await project.dure(['__complete', '--', ...words])).stdout.split('\n').filter(Boolean);

describe('dure __complete', () => {
  it('completes commands except hidden ones, and adds their descriptions', async () => {
    const all = await candidates('');
    expect(all).toContain("status\tShow a run's state and what it is waiting for.");
    expect(all.join('\n')).not.toContain('__complete');
    expect(await candidates('sta')).toHaveLength(2);
    expect((await candidates('config', '')).map(line => line.split('\t')[0])).toEqual([
      'check',
      'get',
      'set',
    ]);
  });

  it('completes run ids with their state, newest first', async () => {
    expect(await candidates('status', '')).toEqual([`${NEW}\twaiting for you`, `${OLD}\tfailed`]);
    expect(await candidates('status', OLD.slice(0, -1))).toHaveLength(2);
  });

  it('completes flags, even after arguments, and the values of flags', async () => {
    expect((await candidates('wait', NEW, '--f')).map(line => line.split('\t')[0])).toEqual(['--for']);
    expect(await candidates('wait', '--for', '')).toEqual(['human', 'done']);
    expect((await candidates('start', '--no-b')).map(line => line.split('\t')[0])).toEqual(['--no-browser']);
    expect(await candidates('start', '--file', '')).toEqual([':files']);
    expect(await candidates('completion', 'z')).toEqual(['zsh']);
  });

  it('completes settings, backends and agents that have started, and offers no file names', async () => {
    expect(await candidates('config', 'get', 'max_it')).toEqual([
      'max_iterations\titerations (one build and its verdict each) before you are asked',
    ]);
    expect(await candidates('config', 'set', 'builder.mod')).toEqual([
      'builder.model\tmodel name or alias that the backend accepts',
    ]);
    expect(await candidates('config', 'set', 'timeouts.refiner', '')).toEqual([]);
    expect(await candidates('logs', '--agent', '')).toEqual(['refiner\twaiting for you']);
    for (const named of [OLD, OLD.slice('run-'.length), OLD.slice('run-20260131-'.length)])
      expect(await candidates('logs', named, '--agent', '')).toEqual(['refiner\tpending']);
    const backends = BUILT_IN_BACKENDS.map(({ name }) => name);
    expect(await candidates('start', '--backend', '')).toEqual(backends);
    expect(await candidates('plugins', 'uninstall', '')).toEqual([]);
  });
});

const has = (shell: string): boolean => {
  try {
    execFileSync(shell, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};
const inShell = async (shell: string, args: string[]) =>
  (
    await promisify(execFile)(shell, args, {
      cwd: project.root,
      env: { ...project.env, PATH: path } as NodeJS.ProcessEnv,
    })
  ).stdout;

/** Not every shell is installed on every machine. */
const itIn = (shell: string, title: string, run: () => Promise<void>) =>
  has(shell) ? it(title, run) : it.skip(`${title} (skipped: ${shell} is not installed)`, run);

describe('the completion scripts', () => {
  itIn('bash', 'let bash complete run ids and flags', async () => {
    const script = `source <(dure completion bash)
      COMP_WORDS=(dure status ""); COMP_CWORD=2; _dure; printf '%s\\n' "\${COMPREPLY[@]}"
      COMP_WORDS=(dure wait --for ""); COMP_CWORD=3; _dure; printf '%s\\n' "\${COMPREPLY[@]}"
      COMP_WORDS=(dure start --file READ); COMP_CWORD=3; _dure; printf '%s\\n' "\${COMPREPLY[@]}"`;
    expect((await inShell('bash', ['-c', script])).trim().split('\n')).toEqual([
      NEW,
      OLD,
      'human',
      'done',
      'README.md',
    ]);
  });

  itIn('fish', 'let fish complete run ids with their state', async () => {
    const said = await inShell('fish', [
      '--no-config',
      '-c',
      `dure completion fish | source; complete -C 'dure status '`,
    ]);
    expect(said.trim().split('\n').sort()).toEqual([`${OLD}\tfailed`, `${NEW}\twaiting for you`]);
  });

  itIn('zsh', 'are loaded by zsh without an error and offer run ids', async () => {
    const script = `_describe() { print -rl -- "\${(P@)\${@[-1]}}" }; compdef() { : }
      words=(dure status ""); CURRENT=3; source <(dure completion zsh); _dure`;
    expect((await inShell('zsh', ['-f', '-c', script])).trim().split('\n')).toEqual([
      `${NEW}:waiting for you`,
      `${OLD}:failed`,
    ]);
  });
});
