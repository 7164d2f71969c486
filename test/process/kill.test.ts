import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { killMarked, killSteps, marksOf, signalGroup } from '../../src/process/kill.ts';

const eventually = { timeout: 60_000, interval: 20 };

async function sleeper(source: string, env: Record<string, string> = {}): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    ['-e', `${source}; setInterval(() => {}, 1000); console.log('here')`],
    {
      detached: true,
      env: { PATH: process.env['PATH'] ?? '', ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  onTestFinished(() => {
    signalGroup(child.pid!, 'SIGKILL');
  });
  await once(child.stdout!, 'data');
  return child;
}

const toGroupOf = (child: ChildProcess) => (name: NodeJS.Signals) => void signalGroup(child.pid!, name);

test('signals escalate until one takes effect', async () => {
  const child = await sleeper(
    `process.on('SIGINT', () => console.log('INT')); process.on('SIGTERM', () => console.log('TERM'))`,
  );
  const said = child.stdout!.setEncoding('utf8');
  // Each signal is sent after the previous one was handled: of two pending ones, it may see only one.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  killSteps(toGroupOf(child), [
    ['SIGINT', 0],
    ['SIGTERM', 1500],
    ['SIGKILL', 5000],
  ]);
  let heard = once(said, 'data');
  vi.advanceTimersByTime(1499);
  expect(await heard).toEqual(['INT\n']);
  heard = once(said, 'data');
  vi.advanceTimersByTime(3500);
  expect(await heard).toEqual(['TERM\n']);
  const closed = once(child, 'close');
  vi.advanceTimersByTime(1);
  expect(await closed).toEqual([null, 'SIGKILL']);
});

test('escalation stops when it is cancelled', async () => {
  const child = await sleeper('');
  killSteps(toGroupOf(child), [['SIGKILL', 100]])();
  const later = once(child, 'exit');
  killSteps(toGroupOf(child), [['SIGTERM', 300]]);
  expect(await later).toEqual([null, 'SIGTERM']);
});

test('signalling an empty process group is not an error', async () => {
  const child = await sleeper('');
  const exited = once(child, 'exit');
  expect(signalGroup(child.pid!, 'SIGKILL')).toBe(true);
  await exited;
  await vi.waitFor(() => expect(signalGroup(child.pid!, 'SIGTERM')).toBe(false), eventually);
});

test.runIf(process.platform === 'linux')(
  'killMarked kills only processes with the marks of the given launch',
  async () => {
    const here = `/tmp/here-${process.pid}/run-1`;
    const own = await sleeper(`process.on('SIGTERM', () => {})`, marksOf(here, 1));
    const others = [
      await sleeper('', marksOf(here, 11)),
      await sleeper('', marksOf(`/tmp/elsewhere-${process.pid}/run-1`, 1)),
      await sleeper('', { DURE_RUN: here }),
    ];
    const exited = once(own, 'exit');
    expect(killMarked(here, 1)).toBe(1);
    expect(await exited).toEqual([null, 'SIGKILL']);
    expect(others.map(other => other.exitCode ?? other.signalCode)).toEqual([null, null, null]);
    expect(killMarked(here, 1)).toBe(0);
  },
);
