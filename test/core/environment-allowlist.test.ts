/** Which variables a run keeps from a shell, which ones a launch gets, and where they are stored. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import {
  agentEnvironment,
  keptEnvironment,
  ownEnvironment,
  startEnvironment,
} from '../../src/core/policy/environment-allowlist.ts';
import { consents } from '../../src/core/policy/permission-bypass.ts';
import {
  newEnvironmentFolder,
  readEnvironment,
  removeEnvironment,
  removeLeftoverEnvironments,
  writeEnvironment,
  writeLaunchEnvironment,
} from '../../src/core/run/launch/environment-variable-store.ts';
import { type ProjectFiles, projectFiles, type RunFiles, runFiles } from '../../src/formats/layout.ts';
import type { Backend } from '../../src/index.ts';

const backend: Backend = {
  name: 'little',
  stream: 'text',
  passEnv: ['LITTLE_*', 'EXACT'],
  passEnvWith: { LITTLE_CLOUD: ['CLOUD_*'] },
  start: () => ({ argv: ['true'] }),
};
const shell = {
  PATH: '/bin',
  HOME: '/home/a',
  LITTLE_KEY: 'k',
  EXACT: 'e',
  EXACTLY: 'no',
  CLOUD_SECRET: 'c',
  npm_config_registry: 'r',
  IS_SANDBOX: '1',
  GITHUB_TOKEN: 'no',
  DATABASE_URL: 'no',
};

describe('the environment', () => {
  test('of a run contains only what agents and the set-up need, and the variable that expresses consent', () => {
    expect(keptEnvironment(shell, [backend])).toEqual({
      PATH: '/bin',
      HOME: '/home/a',
      LITTLE_KEY: 'k',
      EXACT: 'e',
      npm_config_registry: 'r',
      IS_SANDBOX: '1',
    });
    expect(keptEnvironment(shell, [])).not.toHaveProperty('LITTLE_KEY');
  });

  test('of an agent contains what its backend declares, and no package manager settings', () => {
    const given = agentEnvironment(keptEnvironment(shell, [backend]), backend);
    expect(given).toEqual({ PATH: '/bin', HOME: '/home/a', LITTLE_KEY: 'k', EXACT: 'e' });
    expect(startEnvironment(keptEnvironment(shell, [backend]), backend)).toEqual({
      ...given,
      IS_SANDBOX: '1',
    });
  });

  test('contains dependent variables only if the variable they depend on is set', () => {
    const kept = keptEnvironment({ ...shell, LITTLE_CLOUD: '1' }, [backend]);
    expect(agentEnvironment(kept, backend)).toMatchObject({ LITTLE_CLOUD: '1', CLOUD_SECRET: 'c' });
  });

  test('of the set-up and the tests contains package manager settings, and no agent credentials', () => {
    expect(ownEnvironment(keptEnvironment(shell, [backend]))).toEqual({
      PATH: '/bin',
      HOME: '/home/a',
      npm_config_registry: 'r',
    });
  });

  test('allows agents to act without asking if the project consents or IS_SANDBOX is 1', () => {
    expect(consents({}, true)).toBe(true);
    expect(consents({ IS_SANDBOX: '1' }, false)).toBe(true);
    expect(consents({ IS_SANDBOX: 'yes' }, false)).toBe(false);
  });
});

describe('environment files', () => {
  let project: ProjectFiles;
  let run: RunFiles;
  let folder: string;
  const id = 'run-20260131-142233';
  beforeEach(async () => {
    const top = mkdtempSync(join(tmpdir(), 'dure-environment-'));
    const before = process.env['XDG_STATE_HOME'];
    process.env['XDG_STATE_HOME'] = join(top, 'state');
    onTestFinished(() => {
      process.env['XDG_STATE_HOME'] = before;
      rmSync(top, { recursive: true, force: true });
    });
    project = projectFiles(join(top, 'project'));
    run = runFiles(project.run(id));
    mkdirSync(run.dir, { recursive: true });
    folder = await newEnvironmentFolder(run);
  });
  const modeOf = (path: string) => statSync(path).mode & 0o777;

  test('are readable only by the user, whatever the umask is', async () => {
    const before = process.umask(0);
    onTestFinished(() => {
      process.umask(before);
    });
    await writeEnvironment(folder, run, { KEY: 'secret' });
    const launch = await writeLaunchEnvironment(folder, 'launch-3', { KEY: 'secret' });
    expect(await readEnvironment(folder)).toEqual({ KEY: 'secret' });
    expect(modeOf(folder)).toBe(0o700);
    expect([modeOf(launch), modeOf(join(folder, 'environment.json'))]).toEqual([0o600, 0o600]);
    expect(folder.startsWith(dirname(dirname(dirname(run.dir))))).toBe(false);
  });

  test("are removed with their run, and no other folder is removed, whatever the run's options say", async () => {
    await writeEnvironment(folder, run, {});
    await removeEnvironment(folder, 'run-20260131-142234');
    await removeEnvironment(dirname(dirname(folder)), id);
    expect(existsSync(folder)).toBe(true);
    await removeEnvironment(folder, id);
    expect(existsSync(folder)).toBe(false);
  });

  test('the next leader deletes the environments of removed runs, but not the environment of a run that is starting', async () => {
    await writeEnvironment(folder, run, {});
    await removeLeftoverEnvironments(project);
    expect(existsSync(folder)).toBe(true);
    rmSync(run.dir, { recursive: true });
    await removeLeftoverEnvironments(project);
    expect(existsSync(folder)).toBe(false);
    await writeLaunchEnvironment(folder, 'launch-1', {});
    await removeLeftoverEnvironments(project);
    expect(existsSync(folder), 'one that is being made').toBe(true);
    utimesSync(folder, new Date(0), new Date(0));
    await removeLeftoverEnvironments(project);
    expect(existsSync(folder)).toBe(false);
  });
});
