/**
 * Agents get the environment of the shell that started or resumed the run, independent of the leader and of the tmux
 * server.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ensurePrivateFolder, socketOf } from '../../src/agents/launchers/tmux-client.ts';
import { readOptions } from '../../src/core/run/record/read-run-record.ts';
import { readEvents, readState } from '../../src/core/run/run-store.ts';
import { driverFile } from '../../src/formats/driver.ts';
import type { EventOf } from '../../src/formats/events/events.ts';
import { type RunFiles, runFiles } from '../../src/formats/layout.ts';
import { load } from '../../src/formats/read-and-write-files.ts';
import { distFile } from '../../src/process/package-paths-and-version.ts';
import { killDriver } from '../helpers/kill-driver.ts';
import { type TestProject, testProject } from '../helpers/test-project.ts';
import { LAUNCHERS } from './driver-processes.ts';

/**
 * Replaces `claude`: records its environment, reports a refused key unless the key is valid, and otherwise
 * plays the default cassette. Launch N waits while a file `hold-N` exists.
 */
const CLAUDE = (seen: string) => `#!${process.execPath}
const { execFileSync, spawn } = require('node:child_process');
const { existsSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { DURE_RUN, DURE_LAUNCH, ANTHROPIC_API_KEY = '' } = process.env;
const at = name => ${JSON.stringify(`${seen}/`)} + name;
const spec = JSON.parse(readFileSync(DURE_RUN + '/launches/' + DURE_LAUNCH + '.json', 'utf8'));
const seen = at(DURE_RUN.split('/').pop() + '-' + DURE_LAUNCH);
writeFileSync(seen + '.part', JSON.stringify(process.env));
renameSync(seen + '.part', seen);
if (!ANTHROPIC_API_KEY.startsWith('good')) {
  console.log(JSON.stringify({ type: 'system', subtype: 'api_retry', attempt: 1, error_status: 401, error: 'authentication_failed', retry_delay_ms: 1 }));
  setInterval(() => {}, 1000);
} else {
  const mode = spec.step;
  const args = ['--run-dir', DURE_RUN, '--role', spec.role, '--mode', mode, '--cassette', 'default'];
  const begin = () => existsSync(at('hold-' + DURE_LAUNCH)) ? setTimeout(begin, 50)
    : spawn(process.execPath, [${JSON.stringify(distFile('rehearse.cjs'))}, ...args], { stdio: 'inherit' }).on('exit', code => process.exit(code));
  begin();
}
`;

interface Scene extends TestProject {
  /** The environment of the agent in this launch. */
  seen(run: string, launch: number): Record<string, string>;
  saw(run: string, launch: number): boolean;
  hold(launch: number): Promise<() => Promise<void>>;
  run(id: string): RunFiles;
  /** The folder with the environments of a run. */
  kept(id: string): Promise<string>;
  start(shell: Record<string, string | undefined>, ...more: string[]): Promise<string>;
}

const WAIT = { interval: 100 };

async function scene(launcher: string): Promise<Scene> {
  const project = await testProject();
  onTestFinished(() => project.remove());
  const [programs, seen] = [join(project.parentFolder, 'programs'), join(project.parentFolder, 'seen')];
  for (const folder of [programs, seen]) await mkdir(folder);
  await writeFile(join(programs, 'claude'), CLAUDE(seen));
  chmodSync(join(programs, 'claude'), 0o755);
  for (const name of Object.keys(project.env))
    if (/^(ANTHROPIC_|CLAUDE_)/.test(name)) project.env[name] = undefined;
  project.env['PATH'] = `${programs}:${project.env['PATH']}`;
  project.env['IS_SANDBOX'] = '1';
  await project.dure(['init', '--yes']);
  const run = (id: string) => runFiles(project.files.run(id));
  return {
    ...project,
    run,
    seen: (id, launch) => JSON.parse(readFileSync(join(seen, `${id}-${launch}`), 'utf8')),
    saw: (id, launch) => existsSync(join(seen, `${id}-${launch}`)),
    async hold(launch) {
      await writeFile(join(seen, `hold-${launch}`), '');
      const { rm } = await import('node:fs/promises');
      return () => rm(join(seen, `hold-${launch}`));
    },
    kept: async id => (await readOptions(run(id)))!.environment!,
    async start(shell, ...more) {
      const args = ['start', 'Leave a note', '--detach', '--no-browser', '--launcher', launcher, ...more];
      const { json } = await project.dureJson(args, { env: shell });
      expect(json.error).toBeUndefined();
      return json['run_id'] as string;
    },
  };
}

const phase = async (there: Scene, id: string) => (await readState(there.run(id)))?.phase;
const comes = (there: Scene, id: string, wanted: string) =>
  expect.poll(() => phase(there, id), WAIT).toBe(wanted);
const everyLaunch = (there: Scene, id: string): string =>
  readdirSync(there.run(id).launches)
    .map(name => readFileSync(join(there.run(id).launches, name), 'utf8'))
    .join('\n');

for (const { launcher, where, missing } of LAUNCHERS) {
  describe.skipIf(missing)(`with agents ${where}`, () => {
    test('if a key is rejected, the run gets the valid key from the shell in which the question is answered', async () => {
      const there = await scene(launcher);
      const id = await there.start({ ANTHROPIC_API_KEY: 'bad-1', HTTPS_PROXY: 'http://old.example' });
      await comes(there, id, 'waiting_human');
      expect(there.seen(id, 1)).toMatchObject({ ANTHROPIC_API_KEY: 'bad-1' });

      const release = await there.hold(2);
      const env = { ANTHROPIC_API_KEY: 'good-2' };
      const answer = await there.dure(['answer', id, '--decision', 'retry'], { env });
      expect(answer.code).toBe(0);
      // A slow machine may show that the command waits, but nothing else.
      expect(answer.stderr).toMatch(
        /^(?:Waiting for the process that drives \S+ to handle this request…\n)?$/,
      );
      await expect.poll(() => there.saw(id, 2), WAIT).toBe(true);
      expect(there.seen(id, 2)).toMatchObject({ ANTHROPIC_API_KEY: 'good-2', IS_SANDBOX: '1' });
      expect(there.seen(id, 2)).not.toHaveProperty('HTTPS_PROXY');

      const folder = await there.kept(id);
      expect(statSync(folder).mode & 0o777).toBe(0o700);
      for (const name of readdirSync(folder))
        expect(statSync(join(folder, name)).mode & 0o777, name).toBe(0o600);
      await release();
      await comes(there, id, 'ready_for_merge');
      expect(everyLaunch(there, id)).toContain('"ANTHROPIC_API_KEY"');
      expect(everyLaunch(there, id)).not.toMatch(/bad-1|good-2/);
      const approved = await there.dure(['approve', id], { env });
      expect(approved.code).toBe(0);
      await expect.poll(() => existsSync(folder), WAIT).toBe(false);
    });

    test('two runs from shells with different environments run at once under one leader', async () => {
      const there = await scene(launcher);
      const release = await there.hold(1);
      const one = await there.start({ ANTHROPIC_API_KEY: 'good-one' });
      const two = await there.start({ ANTHROPIC_API_KEY: 'good-two', ANTHROPIC_MODEL: 'other' });
      for (const id of [one, two]) await expect.poll(() => there.saw(id, 1), WAIT).toBe(true);
      await release();
      for (const id of [one, two]) await comes(there, id, 'ready_for_merge');
      for (const launch of [1, 2]) {
        expect(there.seen(one, launch)).toMatchObject({ ANTHROPIC_API_KEY: 'good-one' });
        expect(there.seen(one, launch)).not.toHaveProperty('ANTHROPIC_MODEL');
        expect(there.seen(two, launch)).toMatchObject({
          ANTHROPIC_API_KEY: 'good-two',
          ANTHROPIC_MODEL: 'other',
        });
      }
      const folders = [await there.kept(one), await there.kept(two)];
      for (const id of [one, two]) await there.dure(['stop', id]);
      await expect.poll(() => folders.filter(existsSync), WAIT).toEqual([]);
    });

    test('after a decision made on a page, the run keeps the environment of the last command', async () => {
      const there = await scene(launcher);
      const release = await there.hold(1);
      const leader = await there.start({ ANTHROPIC_API_KEY: 'good-leader' });
      const id = await there.start({ ANTHROPIC_API_KEY: 'bad-1' });
      const asks = (crp: string) =>
        expect.poll(async () => (await readState(there.run(id)))?.pending_crp, WAIT).toBe(crp);
      await asks('crp-001');

      const { url, token } = JSON.parse(readFileSync(join(there.files.server, 'server.json'), 'utf8'));
      const answered = await fetch(`${url}/api/runs/${id}/vcr`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ crp_id: 'crp-001', decision: 'retry' }),
      });
      expect(answered.status, await answered.text()).toBe(200);
      await asks('crp-002');
      for (const launch of [1, 2])
        expect(there.seen(id, launch)).toMatchObject({ ANTHROPIC_API_KEY: 'bad-1' });
      await release();
      for (const run of [id, leader]) await there.dure(['stop', run]);
    });

    test('a run keeps its environment when its driver is killed, whichever shell starts the next driver', async () => {
      const there = await scene(launcher);
      const release = await there.hold(1);
      const id = await there.start({ ANTHROPIC_API_KEY: 'good-one' });
      await expect.poll(() => there.saw(id, 1), WAIT).toBe(true);
      await killDriver(there.run(id));
      await release();
      const recovered = await there.dure(['recover', id], { env: { IS_SANDBOX: undefined } });
      expect(recovered.stderr).toContain(
        'This shell has no credentials for claude: the run keeps its current environment.',
      );
      await comes(there, id, 'ready_for_merge');
      expect(there.seen(id, 2)).toMatchObject({ ANTHROPIC_API_KEY: 'good-one', IS_SANDBOX: '1' });
    });

    test('after feedback from a shell that does not set IS_SANDBOX, the run keeps its environment, and the command says so', async () => {
      const there = await scene(launcher);
      const shell = { ANTHROPIC_API_KEY: 'good-one' };
      const id = await there.start(shell);
      await comes(there, id, 'ready_for_merge');
      const env = { ANTHROPIC_API_KEY: 'good-two', IS_SANDBOX: undefined };
      const { code, stderr } = await there.dure(['reject', id, '--feedback', 'Shorter.'], { env });
      expect({ code, stderr }).toEqual({
        code: 0,
        stderr:
          'This shell does not set IS_SANDBOX=1, which claude needs here: the run keeps its current environment.\n',
      });
      // The state may name a later launch that runs the tests and has no agent.
      const build = async () =>
        (await readEvents(there.run(id))).findLast(
          e => e.type === 'agent.started' && e.iteration === 2 && e.step === 'build',
        );
      await expect.poll(build, WAIT).toBeDefined();
      const { launch } = (await build()) as EventOf<'agent.started'>;
      await expect.poll(() => there.saw(id, launch), WAIT).toBe(true);
      expect(there.seen(id, launch)).toMatchObject({ ANTHROPIC_API_KEY: 'good-one' });
    });
  });
}

test.skipIf(LAUNCHERS.some(({ launcher, missing }) => launcher === 'tmux' && missing))(
  "nothing from the tmux server's environment reaches an agent, the debug shell or the server (skipped without tmux)",
  async () => {
    const there = await scene('tmux');
    const socket = socketOf(there.root);
    ensurePrivateFolder();
    const tmux = (env: Record<string, string | undefined>, ...argv: string[]) =>
      spawnSync('tmux', ['-S', socket, '-f', '/dev/null', ...argv], {
        env: { ...there.env, ...env } as NodeJS.ProcessEnv,
        encoding: 'utf8',
      });
    const old = { ANTHROPIC_API_KEY: 'bad-old', STALE: 'yes', NODE_OPTIONS: '--no-such-option' };
    expect(tmux(old, 'new-session', '-d', '-s', 'older', 'sleep', '600').status).toBe(0);

    const shell = join(there.parentFolder, 'shell');
    await writeFile(
      shell,
      `#!/bin/sh\ncd '${there.parentFolder}'\nenv > part && mv part shell-env\nexec sleep 600\n`,
    );
    chmodSync(shell, 0o755);
    const id = await there.start({ ANTHROPIC_API_KEY: 'good-new', FRESH: "it's\nnew", SHELL: shell });
    await comes(there, id, 'ready_for_merge');
    expect(there.seen(id, 1)).toMatchObject({ ANTHROPIC_API_KEY: 'good-new' });
    await expect.poll(() => existsSync(join(there.parentFolder, 'shell-env')), WAIT).toBe(true);
    const debug = readFileSync(join(there.parentFolder, 'shell-env'), 'utf8');
    expect(debug).toContain("FRESH=it's\nnew\n");
    expect(debug).toMatch(/^TMUX_PANE=%\d/m);
    expect(debug).not.toMatch(/STALE|bad-old|no-such-option/);
    const driver = (await load(driverFile, there.run(id).driver))!;
    const environ = readFileSync(`/proc/${driver.process.pid}/environ`, 'utf8').split('\0');
    expect(environ).toContain('ANTHROPIC_API_KEY=good-new');
    expect(environ).not.toContain('STALE=yes');
    expect(readdirSync(await there.kept(id))).toEqual(['environment.json']);
  },
);
