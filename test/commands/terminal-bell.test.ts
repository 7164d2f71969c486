/** Tests the terminal bell in real terminals: tmux with its own socket, and everything written to its panes. */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasTmux } from '../../src/agents/launchers/tmux-client.ts';
import { asks, cassette, refines } from '../e2e/agent-moves.ts';
import { bin, type TestProject, testProject } from '../helpers/test-project.ts';

const SEEN = { interval: 100 };
/** A run that asks once, when the test allows it, and then reaches its pack: two events that need the user. */
const START = 'start Greet --cassette ../cassette.json --yes --launcher process --no-browser';

let project: TestProject;
let heard: number;

const tmux = async (...args: string[]): Promise<string> => {
  const socket = join(project.parentFolder, 'tmux');
  const env = project.env as NodeJS.ProcessEnv;
  return (
    await promisify(execFile)('tmux', ['-S', socket, '-f', '/dev/null', ...args], { cwd: project.root, env })
  ).stdout;
};

interface Terminal {
  said(): Promise<string>;
  /** How many times it rang. */
  bells(): Promise<number>;
}

/** A pane in which a shell runs the command; the first call creates the session. */
async function terminal(command: string): Promise<Terminal> {
  heard += 1;
  const file = join(project.parentFolder, `heard-${heard}`);
  const how = heard === 1 ? ['new-session', '-d', '-x', '100', '-y', '40'] : ['split-window', '-d'];
  // A new pane is inserted after the first one, which stays selected.
  const pane = heard === 1 ? 0 : 1;
  await tmux(
    ...how,
    ...['-e', 'CI=', '-e', 'TERM=xterm-256color', `${command}; echo "(the end)"; exec sleep 600`, ';'],
    ...['pipe-pane', '-t', `:.${pane}`, `cat > '${file}'`],
  );
  const said = () => readFile(file, 'latin1').catch(() => '');
  return { said, bells: async () => (await said()).split('\x07').length - 1 };
}

const go = () => writeFile(join(project.parentFolder, 'go'), '');
const dure = (args: string) => `'${process.execPath}' '${bin}' ${args}`;
const ended = (one: Terminal) => expect.poll(one.said, SEEN).toContain('(the end)');

describe.skipIf(!hasTmux())('the bell (if tmux is installed)', () => {
  beforeEach(async () => {
    heard = 0;
    project = await testProject();
    await project.dure(['init', '--yes', '--backend', 'rehearsal']);
    const waits = { sh: `until [ -e "${project.parentFolder}/go" ]; do sleep 0.1; done` };
    const tape = cassette({ refiner: [[waits, asks('crp-001', 'refiner')], refines] });
    await writeFile(join(project.parentFolder, 'cassette.json'), JSON.stringify(tape));
  });
  afterEach(async () => {
    await tmux('kill-server').catch(() => {});
    await project.remove();
  });

  it('rings in the terminals where a run was started or is watched, once per event that needs the user', async () => {
    const started = await terminal(dure(START));
    await expect.poll(started.said, SEEN).toContain('run-');
    const watched = await terminal(dure('watch'));
    await expect.poll(watched.said, SEEN).toContain('run-');
    await go();
    await ended(started);
    await ended(watched);
    expect(await started.bells()).toBe(2);
    expect(await watched.bells()).toBe(2);
    const late = await terminal(dure('watch'));
    await ended(late);
    expect(await late.bells()).toBe(0);
  });

  it('does not ring if terminal_bell is off or standard error is not a terminal', async () => {
    await go();
    const redirected = await terminal(dure(`${START} 2>/dev/null`));
    await ended(redirected);
    await project.dure(['config', 'set', 'global.notifications.terminal_bell', 'false']);
    const silenced = await terminal(dure(START));
    await ended(silenced);
    expect([await redirected.bells(), await silenced.bells()]).toEqual([0, 0]);
    expect(await silenced.said()).toContain('dure approve');
  });

  it('in a tmux session that also shows the driver, only the driver rings the bell', async () => {
    await go();
    const driver = await terminal(dure('serve --no-browser --port 0'));
    await expect.poll(driver.said, SEEN).toContain('Pages:');
    const started = await terminal(dure(START));
    await ended(started);
    await expect.poll(driver.bells, SEEN).toBe(2);
    expect(await started.bells()).toBe(0);
  });
});
