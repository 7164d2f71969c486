import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ensurePrivateFolder, hasTmux, socketOf, tmuxAt } from '../../../src/agents/launchers/tmux-client.ts';
import { type TmuxLauncherOptions, tmuxLauncher } from '../../../src/agents/launchers/tmux-launcher.ts';
import { attachArgv, endSession, sessionsOf } from '../../../src/agents/launchers/tmux-sessions.ts';
import { identityOf, isAlive } from '../../../src/process/identity.ts';
import { makePlace, startDriver, until } from './launch-folder.ts';

const RUN = 'run-20260131-142233';

/** A launcher with its own tmux server, because each project has its own socket. */
async function makeSession(more: Partial<TmuxLauncherOptions> = {}, name?: string) {
  const place = await makePlace(name);
  const environments = async () => join(place.home, 'environments');
  const on: TmuxLauncherOptions = {
    ...place,
    runId: RUN,
    prefix: 'dure',
    server: null,
    environments,
    ...more,
  };
  const launcher = tmuxLauncher(on);
  const tmux = (...argv: string[]) =>
    spawnSync('tmux', ['-S', launcher.socket, ...argv], { encoding: 'utf8' });
  const killServer = () => {
    tmux('kill-server');
    return until(() => tmux('list-sessions').status !== 0);
  };
  onTestFinished(async () => {
    await killServer();
    await rm(launcher.socket, { force: true });
  });
  const panes = (window = `=dure-${RUN}:0`) => {
    const format =
      '#{pane_index}\t#{pane_title}\t#{pane_left}\t#{pane_top}\t#{pane_width}\t#{pane_height}\t#{pane_dead}\t#{pane_pid}';
    const said = tmux('list-panes', '-t', window, '-F', format).stdout.trimEnd();
    return said.split('\n').map(line => {
      const [index, title, left, top, width, height, dead, pid] = line.split('\t');
      const [x, y, w, h] = [left, top, width, height].map(Number) as [number, number, number, number];
      return { index: Number(index), title, x, y, w, h, dead: dead === '1', pid: Number(pid) };
    });
  };
  const screen = (pane: number) => tmux('capture-pane', '-p', '-t', `=dure-${RUN}:0.${pane}`).stdout;
  return { ...place, on, launcher, tmux, panes, screen, killServer };
}

test('the socket path of a project is short, unique, and the same however the project path is written', async () => {
  const place = await makePlace('a'.repeat(200));
  const link = join(place.home, 'link');
  await symlink(place.projectRoot, link);
  expect(socketOf(place.projectRoot).length).toBeLessThan(100);
  expect(socketOf(link)).toBe(socketOf(place.projectRoot));
  expect(socketOf(place.home)).not.toBe(socketOf(place.projectRoot));
});

test('the socket folder is refused if other users can access it, or if a link is in its place', async () => {
  const home = await mkdtemp(join(tmpdir(), 'dure-socket-'));
  onTestFinished(() => rm(home, { recursive: true, force: true, maxRetries: 20 }));
  const own = join(home, 'own');
  ensurePrivateFolder(own);
  expect(statSync(own).mode & 0o777).toBe(0o700);
  ensurePrivateFolder(own);
  await mkdir(join(home, 'open'));
  await chmod(join(home, 'open'), 0o755);
  await symlink(own, join(home, 'link'));
  expect(() => ensurePrivateFolder(join(home, 'open'))).toThrow('accessible to other users');
  expect(() => ensurePrivateFolder(join(home, 'link'))).toThrow('not a folder');
});

test('without tmux, opening a session fails with an error that suggests --launcher process', async () => {
  const place = await makePlace();
  const path = process.env['PATH'];
  process.env['PATH'] = place.home;
  try {
    const environments = async () => join(place.home, 'environments');
    const launcher = tmuxLauncher({ ...place, runId: RUN, prefix: 'dure', server: null, environments });
    expect(hasTmux()).toBe(false);
    await expect(launcher.open()).rejects.toMatchObject({
      code: 'E_TMUX',
      message: 'tmux failed: tmux was not found on PATH.',
      suggestions: [expect.stringContaining('--launcher process')],
    });
  } finally {
    process.env['PATH'] = path;
  }
});

describe.skipIf(!hasTmux())('with tmux (skipped if it is not installed)', () => {
  test('the session has four agents in columns, with the debug shell and the server below', async () => {
    const { launcher, panes, screen, tmux } = await makeSession();
    await launcher.open();
    expect(tmux('list-sessions', '-F', '#{session_name}').stdout).toBe(`dure-${RUN}\n`);
    const drawn = panes();
    const titles = ['Refiner', 'Builder', 'Verifier', 'Gatekeeper', 'Debug shell', 'ACE server'];
    expect(drawn.map(p => [p.index, p.title])).toEqual(titles.map((title, i) => [i, title]));
    const [agents, [shell, server]] = [drawn.slice(0, 4), drawn.slice(4)];
    expect(new Set(agents.map(p => `${p.y} ${p.h}`)).size).toBe(1);
    expect(agents.map(p => p.x)).toEqual([...agents.map(p => p.x)].sort((a, b) => a - b));
    expect(Math.max(...agents.map(p => p.w)) - Math.min(...agents.map(p => p.w))).toBeLessThan(4);
    expect([shell!.x, server!.x, shell!.w, server!.w]).toEqual([0, 0, 200, 200]);
    expect(agents[0]!.y + agents[0]!.h).toBeLessThanOrEqual(shell!.y);
    expect(shell!.y + shell!.h).toBeLessThanOrEqual(server!.y);
    await until(() => screen(1).includes('Builder is waiting.'));
  });

  test('opening a session twice, even from two drivers at once, creates only one', async () => {
    const { launcher, on, panes } = await makeSession();
    await Promise.all([launcher.open(), tmuxLauncher(on).open(), tmuxLauncher(on).open()]);
    const before = panes().map(p => p.pid);
    await launcher.open();
    expect(panes().map(p => p.pid)).toEqual(before);
    expect(before).toHaveLength(6);
  });

  test('a launch runs in the pane of its role, and neither a shell nor tmux expands anything in the path of its run', async () => {
    const { launcher, ran, runDir, panes, screen, everything } = await makeSession();
    const roles = ['refiner', 'builder', 'verifier', 'gatekeeper'];
    for (const [i, role] of roles.entries()) await launcher.start({ role, launch: 10 + i });
    for (const [i, role] of roles.entries()) {
      const told = await ran(10 + i);
      expect(told.argv, role).toEqual([runDir, String(10 + i)]);
      expect(panes()[i]!.pid).toBe(told.pid);
      await until(() => screen(i).includes(`launch ${10 + i} is running`));
    }
    expect(everything().filter(name => /(^|\/)[xy]$/.test(name))).toEqual([]);
  });

  test("the pane's command contains the launch number", async () => {
    const { launcher, ran, tmux } = await makeSession();
    await launcher.start({ role: 'builder', launch: 4711 });
    const { pid } = await ran(4711);
    const born = execFileSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
    expect(born.trimEnd()).toMatch(/ 4711$/);
    const marked = tmux(
      'display-message',
      '-p',
      '-t',
      `=dure-${RUN}:0.1`,
      '#{@dure_role} #{@dure_launch}',
    ).stdout;
    expect(marked).toBe('builder 4711\n');
  });

  test('the output of an agent that exited stays in the pane until the next launch', async () => {
    const { launcher, ran, end, panes, screen } = await makeSession();
    await launcher.start({ role: 'builder', launch: 1 });
    await ran(1);
    await end(1);
    await until(() => panes()[1]!.dead);
    expect(screen(1)).toContain('launch 1 ends');
    await launcher.start({ role: 'builder', launch: 2 });
    const second = await ran(2);
    expect(panes()).toHaveLength(6);
    expect(panes()[1]).toMatchObject({ pid: second.pid, dead: false, title: 'Builder' });
  });

  test('starting a running launch again changes nothing', async () => {
    const { launcher, on, ran, hungUp, tmux } = await makeSession();
    await launcher.start({ role: 'builder', launch: 1 });
    const first = await ran(1);
    const windows = () =>
      tmux('list-panes', '-s', '-t', `=dure-${RUN}:`, '-F', '#{window_name} #{pane_pid}').stdout;
    const before = windows();
    await launcher.start({ role: 'builder', launch: 1 });
    await tmuxLauncher(on).start({ role: 'builder', launch: 1 });
    expect(windows()).toBe(before);
    expect(isAlive(first.identity)).toBe(true);
    expect(hungUp(1)).toBe(false);
  });

  test('a straggler moves to a new window when the next launch takes over its pane', async () => {
    const { launcher, ran, end, hungUp, panes, tmux } = await makeSession();
    await launcher.start({ role: 'verifier', launch: 3 });
    const straggler = await ran(3);
    await launcher.start({ role: 'verifier', launch: 4 });
    const next = await ran(4);
    expect(panes()[2]).toMatchObject({ index: 2, pid: next.pid });
    expect(panes()).toHaveLength(6);
    expect(panes(`=dure-${RUN}:=verifier-3`)[0]!.pid).toBe(straggler.pid);
    expect(isAlive(straggler.identity)).toBe(true);
    await end(3);
    const windows = () => tmux('list-windows', '-t', `=dure-${RUN}`, '-F', '#{window_name}').stdout;
    await until(() => windows() === 'main\n');
    expect(hungUp(3)).toBe(false);
    expect(isAlive(next.identity)).toBe(true);
  });

  test('a role without a pane gets a window', async () => {
    const { launcher, ran, end, panes } = await makeSession();
    await launcher.start({ role: 'security', launch: 5 });
    const told = await ran(5);
    const window = `=dure-${RUN}:=security-5`;
    expect(panes(window)).toMatchObject([{ pid: told.pid, title: 'security' }]);
    await end(5);
    await until(() => panes(window)[0]!.dead);
    await launcher.start({ role: 'security', launch: 6 });
    expect(panes(window)[0]!.pid).toBe((await ran(6)).pid);
  });

  test('the debug shell opens in the worktree', async () => {
    const { launcher, runDir, tmux, panes } = await makeSession();
    await launcher.open();
    expect(panes()[4]!.dead).toBe(false);
    const where = () =>
      tmux('display-message', '-p', '-t', `=dure-${RUN}:0.4`, '#{pane_current_path}').stdout;
    await until(() => where().trimEnd() === join(runDir, 'builder', 'output'));
  });

  test('the server runs in pane 5 and is restarted only if it is dead', async () => {
    const server = [
      'sh',
      '-c',
      'printf "%s|" "$@"; while :; do sleep 1; done',
      'sh',
      'a b',
      '$(touch x);',
      '#{pid}',
      '%',
    ];
    const { launcher, panes, screen } = await makeSession({ server });
    await launcher.open();
    await until(() => screen(5).includes('a b|$(touch x);|#{pid}|%|'));
    const { pid } = panes()[5]!;
    await launcher.serve();
    expect(panes()[5]!.pid).toBe(pid);
    process.kill(pid, 'SIGKILL');
    await until(() => panes()[5]!.dead);
    await launcher.serve();
    expect(panes()[5]!.dead).toBe(false);
    expect(panes()[5]!.pid).not.toBe(pid);
    await until(() => screen(5).includes('a b|'));
  });

  test('a session that was opened without a server gets one later', async () => {
    const { launcher, on, panes } = await makeSession();
    await launcher.open();
    await until(() => panes()[5]!.dead);
    await launcher.serve();
    expect(panes()[5]!.dead).toBe(true);
    await tmuxLauncher({ ...on, server: ['sleep', '600'] }).serve();
    expect(panes()[5]!.dead).toBe(false);
  });

  test('an agent outlives the driver that started it', async () => {
    const { on, home, ran, panes } = await makeSession();
    const launcher = `tmuxLauncher({ ...${JSON.stringify(on)}, environments: async () => ${JSON.stringify(home)} })`;
    const driver = await startDriver({ home }, launcher, { role: 'builder', launch: 9 });
    const told = await ran(9);
    await driver.kill();
    expect(isAlive(told.identity)).toBe(true);
    expect(panes()[1]!.pid).toBe(told.pid);
  });

  test('agents exit when the tmux server is killed, and the next start creates a new session', async () => {
    const { launcher, ran, tmux, panes } = await makeSession();
    await launcher.start({ role: 'refiner', launch: 1 });
    const lost = await ran(1);
    const server = identityOf(Number(tmux('display-message', '-p', '#{pid}').stdout))!;
    process.kill(server.pid, 'SIGKILL');
    await until(() => !isAlive(server) && !isAlive(lost.identity));
    await launcher.start({ role: 'refiner', launch: 2 });
    expect(panes()[0]!.pid).toBe((await ran(2)).pid);
    expect(panes()).toHaveLength(6);
  });

  test('a tmux command fails after a time limit if the tmux server does not respond', async () => {
    const { launcher, home, tmux } = await makeSession();
    await launcher.open();
    const server = identityOf(Number(tmux('display-message', '-p', '#{pid}').stdout))!;
    process.kill(server.pid, 'SIGSTOP');
    try {
      await expect(tmuxAt(launcher.socket, home, 2000).run(['list-sessions'])).rejects.toMatchObject({
        code: 'E_TMUX',
        message: expect.stringContaining(`${launcher.socket} has not answered for 2 seconds`),
      });
    } finally {
      process.kill(server.pid, 'SIGCONT');
    }
    await launcher.open();
  });

  test('closing a session leaves other sessions open, and is idempotent', async () => {
    const { launcher, on, projectRoot } = await makeSession();
    const other = tmuxLauncher({ ...on, runId: `${RUN}-2` });
    await launcher.open();
    await other.open();
    const runs = async () => (await sessionsOf(projectRoot)).map(({ run }) => run);
    expect((await runs()).sort()).toEqual([RUN, `${RUN}-2`]);
    const [one, two] = (await sessionsOf(projectRoot)).sort((a, b) => (a.run < b.run ? -1 : 1));
    expect(two!.pids).toHaveLength(6);
    await endSession(projectRoot, one!);
    await until(async () => !(await runs()).includes(RUN));
    await endSession(projectRoot, one!);
    expect(await runs()).toEqual([`${RUN}-2`]);
    await endSession(projectRoot, two!);
    // The server exits shortly after its last session.
    await until(async () => (await runs()).length === 0);
    await endSession(projectRoot, two!);
  });

  test('a session that is ended while a client is attached shows how to detach, and closes when the user detaches', async () => {
    const { launcher, projectRoot, home, tmux } = await makeSession();
    await launcher.open();
    const [session] = await sessionsOf(projectRoot);
    // The user's terminal: a window of another tmux server.
    const theirs = (...argv: string[]) =>
      spawnSync('tmux', ['-S', join(home, 'theirs'), '-f', '/dev/null', ...argv], { encoding: 'utf8' });
    onTestFinished(() => void theirs('kill-server'));
    theirs(
      'new-session',
      '-d',
      '-x',
      '160',
      '-y',
      '40',
      'env',
      '-u',
      'TMUX',
      'tmux',
      ...attachArgv(launcher.socket, session!.name),
    );
    const attached = () => tmux('list-clients', '-F', '#{client_pid}').stdout.trim();
    await until(() => attached() !== '');
    await endSession(projectRoot, session!);
    await until(() => theirs('capture-pane', '-p').stdout.includes('This run is over. Detach with Ctrl-b d'));
    expect(attached()).not.toBe('');
    expect(await sessionsOf(projectRoot)).toHaveLength(1);
    theirs('send-keys', 'C-b', 'd');
    await until(async () => (await sessionsOf(projectRoot)).length === 0);
  });

  test('the attach command works in sh, even inside another tmux session', async () => {
    const { launcher, tmux } = await makeSession();
    await launcher.open();
    const command = launcher.attach()!;
    expect(command).toContain(launcher.socket);
    const asked = command.replace(/ attach -t /, ' has-session -t ');
    expect(asked).not.toBe(command);
    expect(spawnSync('sh', ['-c', asked], { env: { ...process.env, TMUX: '/nowhere,1,0' } }).status).toBe(0);
    tmux('kill-server');
    await until(() => spawnSync('sh', ['-c', asked]).status !== 0);
    expect(existsSync(dirname(launcher.socket))).toBe(true);
  });
});
