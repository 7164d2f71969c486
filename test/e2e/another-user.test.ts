/** What another user of the machine can read or take over of a run. Needs root. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { hasTmux, socketOf } from '../../src/agents/launchers/tmux-client.ts';
import { readOptions } from '../../src/core/run/record/read-run-record.ts';
import { leaderOf } from '../../src/daemon/leader-election.ts';
import { type ProjectFiles, projectFiles } from '../../src/formats/layout.ts';
import { isAlive, signalProcess } from '../../src/process/identity.ts';
import { serverOf } from '../../src/server/server-files.ts';
import { killDriver } from '../helpers/kill-driver.ts';
import { bin } from '../helpers/test-project.ts';
import { asks, builds, cassette, config, generates, refines } from './agent-moves.ts';
import { driverUp, reached } from './driver-processes.ts';
import { scratchProject } from './scratch-project.ts';

/** The second uid differs between concurrent tests, because its folders in /tmp have fixed names. */
const [NOBODY, VICTIM] = [65_534, 20_000 + (process.pid % 40_000)];
const isRoot = process.getuid?.() === 0;
const as = (uid: number, argv: readonly string[], env: Record<string, string> = {}, cwd = '/') =>
  spawnSync(argv[0]!, argv.slice(1), {
    uid,
    gid: uid,
    cwd,
    env: { PATH: process.env['PATH'], ...env },
    encoding: 'utf8',
    timeout: 300_000,
  });
const asNobody = (...argv: string[]) => as(NOBODY, argv);
const lines = (text: string) => text.split('\n').filter(line => line !== '');

/** A folder for temporary files that is open to everyone, as /tmp is. */
function openTemporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dure-open-'));
  chmodSync(folder, 0o1777);
  vi.stubEnv('TMPDIR', folder);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
  });
  return folder;
}

const SECRET = 'ferret-31415';

test.skipIf(!isRoot).each([
  ['waits for an answer', asks('crp-001', 'builder')],
  ['is worked on', { sh: 'while :; do echo still here; sleep 0.2; done' }],
])(
  `another user can neither read nor take over any part of a run that %s${isRoot ? '' : ' (skipped: needs root)'}`,
  async (how, move) => {
    const before = process.umask(0o022);
    onTestFinished(() => void process.umask(before));
    const folder = openTemporaryFolder();
    const set = await scratchProject();
    const { root, project, start } = set;
    chmodSync(dirname(root), 0o755);
    const launcher = hasTmux() ? 'tmux' : 'process';
    const run = await start(cassette({ builder: [[move]] }), { launcher, briefing: `Write ${SECRET}.` });
    const driver = await driverUp(set, run);
    onTestFinished(() => killDriver(run.files));
    await reached(run, how === 'is worked on' ? 'build' : 'waiting_human');
    await expect.poll(() => serverOf(project)).not.toBeNull();
    const { url, token } = (await serverOf(project))!;

    expect(asNobody('cat', join(root, 'README.md')).stdout).toContain('A project');
    const { environment } = (await readOptions(run.files))!;
    const places = [folder, dirname(dirname(environment!))];
    // Users themselves choose the permissions of their own files and git objects.
    const isTheirs = (path: string) =>
      (path.startsWith(`${root}/`) && !path.startsWith(`${project.dure}/`)) ||
      path.startsWith(project.config) ||
      path === project.ignore ||
      path === project.editorConfig ||
      path.endsWith('.cassette.json');
    const readable = lines(asNobody('find', ...places, '-type', 'f', '-readable').stdout);
    expect(readable.filter(path => !isTheirs(path))).toEqual([]);
    const writable = lines(asNobody('find', ...places, '!', '-type', 'l', '-writable').stdout);
    expect(writable).toEqual([folder]);

    if (hasTmux()) {
      const taken = asNobody('tmux', '-S', socketOf(root), 'list-sessions');
      expect(taken.status).not.toBe(0);
      expect(taken.stderr).toMatch(/[Pp]ermission denied/);
    }

    const processes = lines(spawnSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).stdout).filter(
      line => line.includes(run.runId) || line.trim().startsWith(`${driver} `),
    );
    expect(processes.length).toBeGreaterThan(0);
    for (const line of processes) {
      const pid = line.trim().split(' ')[0]!;
      expect(line).not.toContain(token);
      expect(line).not.toContain(SECRET);
      for (const name of ['environ', 'cwd/README.md', 'root/etc/passwd', 'fd/0', 'mem', 'maps'])
        expect([name, asNobody('cat', `/proc/${pid}/${name}`).stdout]).toEqual([name, '']);
      expect(asNobody('sh', '-c', `kill -STOP ${pid}`).status).not.toBe(0);
    }

    const answers = asNobody('node', '-e', ATTEMPTS, url, run.runId);
    const said = JSON.parse(answers.stdout) as [string, number, string][];
    expect(said.filter(([path]) => path.startsWith('/api')).map(([, status]) => status)).toEqual(
      Array(6).fill(401),
    );
    expect(answers.stdout).not.toContain(SECRET);
    expect(answers.stdout).not.toContain(root);
    expect(answers.stdout).not.toContain('Which greeting');
  },
);

/** Prints what the server answers to a program without a code. */
const ATTEMPTS = `
  const [url, run] = process.argv.slice(1);
  const post = body => ({ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  const tries = [
    ['/api/overview'], ['/api/runs/' + run], ['/api/runs/' + run + '/artefacts/state.json'],
    ['/api/runs/' + run + '/stop', post({})], ['/api/session', post({ code: 'guess' })],
    ['/api/session/code', post({})], ['/'], ['/run/' + run], ['/health'], ['/health/ready'], ['/health/interrupted'],
  ];
  Promise.all(tries.map(async ([path, init]) => {
    const answer = await fetch(url + path, init);
    return [path, answer.status, await answer.text()];
  })).then(all => console.log(JSON.stringify(all)));
`;

const canRunAs =
  isRoot && as(VICTIM, [process.execPath, bin, 'version'], { HOME: '/nonexistent' }).status === 0;
const why = canRunAs ? '' : ' (skipped: needs root, and a checkout that others can read)';

test.skipIf(!canRunAs).each(['a folder', 'a link', 'a link to nothing', 'a file'])(
  `what another user placed in shared temporary folders is not used: %s${why}`,
  async what => {
    const folder = openTemporaryFolder();
    const [home, root, theirs] = ['home', 'project', 'theirs'].map(name => join(folder, name)) as [
      string,
      string,
      string,
    ];
    for (const own of [home, root]) {
      mkdirSync(own);
      chownSync(own, VICTIM, VICTIM);
    }
    mkdirSync(theirs);
    chmodSync(theirs, 0o777);
    chownSync(theirs, NOBODY, NOBODY);
    const taken = [`/tmp/dure-${VICTIM}`, `/var/tmp/dure-${VICTIM}`, join(folder, `dure-state-${VICTIM}`)];
    onTestFinished(() => {
      for (const path of taken) rmSync(path, { recursive: true, force: true });
    });
    for (const path of taken) {
      rmSync(path, { recursive: true, force: true });
      const placed = {
        'a folder': `mkdir -m 777 '${path}'`,
        'a link': `ln -s '${theirs}' '${path}'`,
        'a link to nothing': `ln -s '${theirs}/absent' '${path}'`,
        'a file': `touch '${path}'; chmod 666 '${path}'`,
      }[what]!;
      expect(asNobody('sh', '-c', placed).status).toBe(0);
    }
    const env = { TMPDIR: folder, HOME: home, NO_COLOR: '1' };
    const dure = (more: Record<string, string>, ...argv: string[]) =>
      as(VICTIM, [process.execPath, bin, ...argv], { ...env, ...more }, root);
    as(
      VICTIM,
      ['sh', '-c', 'git init -q && git -c user.name=V -c user.email=v@x commit -q --allow-empty -m first'],
      env,
      root,
    );
    expect(dure({}, 'init', '--yes', '--backend', 'rehearsal').status).toBe(0);
    if (hasTmux()) {
      const started = dure({}, 'start', 'a note', '--launcher', 'tmux', '--detach', '--no-browser');
      expect(started.stderr).toMatch(
        new RegExp(`/tmp/dure-${VICTIM}, which holds the tmux socket, .*\\(E_TMUX\\)`, 's'),
      );
    }
    const homeless = dure(
      { HOME: '' },
      'start',
      'a note',
      '--launcher',
      'process',
      '--detach',
      '--no-browser',
    );
    expect(homeless.stderr).toContain('E_STATE_FOLDER');
    expect(lines(asNobody('find', theirs, ...taken, '-mindepth', '1').stdout)).toEqual([]);
    expect(readdirSync(theirs)).toEqual([]);
  },
);

/** Kills the leader, which would otherwise write while its folders are removed. */
async function endLeader(project: ProjectFiles): Promise<void> {
  const leader = await leaderOf(project);
  if (!leader) return;
  signalProcess(leader, 'SIGKILL');
  await expect.poll(() => isAlive(leader), { timeout: 60_000 }).toBe(false);
}

// Root can read and write every folder.
test.skipIf(!canRunAs)(
  `a run ends even if agents and tests leave behind folders that their owner cannot write to${why}`,
  () => {
    const folder = openTemporaryFolder();
    const [home, root] = ['home', 'project'].map(name => join(folder, name)) as [string, string];
    for (const own of [home, root]) {
      mkdirSync(own);
      chownSync(own, VICTIM, VICTIM);
    }
    const tape = join(folder, 'left.cassette.json');
    const locks = (parent: string, mode: string) => ({
      sh: `mkdir -p ${parent}/left && echo left > ${parent}/left/a && chmod ${mode} ${parent}/left`,
    });
    const tests = 'mkdir left; touch left/a; chmod 555 left; sh verifier/tests/greets.sh';
    writeFileSync(
      tape,
      JSON.stringify(
        cassette({
          refiner: [[locks('gatekeeper', '000'), ...refines], refines],
          builder: [[locks('builder', '000'), ...builds('hello\n')]],
          'verifier:generate': [
            [locks('verifier/tests', '000'), ...generates],
            [{ sh: 'chmod 700 verifier/tests/left' }, generates[0]!, config(tests), generates[2]!],
          ],
        }),
      ),
    );
    const env = { TMPDIR: folder, HOME: home, NO_COLOR: '1' };
    const dure = (...argv: string[]) => as(VICTIM, [process.execPath, bin, ...argv], env, root);
    const commit = 'git -c user.name=V -c user.email=v@x commit -q --allow-empty -m first';
    as(VICTIM, ['sh', '-c', `git init -q && ${commit}`], env, root);
    expect(dure('init', '--yes', '--backend', 'rehearsal').status).toBe(0);
    onTestFinished(() => endLeader(projectFiles(root)));
    const start = ['--launcher', 'process', '--cassette', tape, '--detach', '--no-browser'];
    expect(dure('start', 'Write greeting.txt.', ...start)).toMatchObject({ status: 0 });
    const runs = join(root, '.dure', 'runs');
    const waited = dure('wait', '--for', 'human', '--timeout', '200', '--json');
    const told = dure('logs', '--raw').stdout;
    expect(told).toContain('verifier/tests/left cannot be read (EACCES)');
    expect(told).toContain('you wrote outside briefing/: gatekeeper/left');
    expect(JSON.parse(waited.stdout)).toMatchObject({ ok: true, phase: 'ready_for_merge' });
    expect(dure('stop')).toMatchObject({ status: 0 });
    expect(dure('clean', '--yes', '--force')).toMatchObject({ status: 0, stderr: '' });
    expect(readdirSync(runs)).toEqual([]);
    const checkouts = join(home, '.local/state/dure/checkouts');
    expect(existsSync(checkouts) ? readdirSync(checkouts) : []).toEqual([]);
  },
);
