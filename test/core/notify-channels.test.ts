import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Publisher, publisher, type Recipients } from '../../src/core/run/notify-channels.ts';
import { openEventDelivery } from '../../src/core/run/track-event-delivery.ts';
import { NEEDS_ATTENTION } from '../../src/formats/events/event-types-and-severity.ts';
import type { RunEvent } from '../../src/formats/events/events.ts';
import { deliveredFile } from '../../src/formats/events/last-delivered-event.ts';
import { runFiles } from '../../src/formats/layout.ts';
import { load, replaceJson } from '../../src/formats/read-and-write-files.ts';
import type { Notification, NotificationChannel, PluginContext } from '../../src/index.ts';
import type { PluginFailure } from '../../src/process/call-plugin-code.ts';
import { enEvent } from '../../src/words/en-events.ts';
import { setupWith } from '../helpers/sample-setup.ts';
import { BASE, NOW, RUN_ID, sampleConfig, sampleQuestion, sampleState } from '../helpers/sample-values.ts';

const failed: RunEvent = { at: NOW, type: 'run.failed', reason: 'no\u001b[2J more' };
const started: RunEvent = {
  at: NOW,
  type: 'agent.started',
  agent: 'builder',
  step: 'build',
  launch: 1,
  iteration: 1,
};
const ready: RunEvent = {
  at: NOW,
  type: 'mrp.created',
  commit: BASE,
  tree: BASE,
  cost_usd: null,
  files: {},
  pack: BASE,
};
const asked: RunEvent = {
  at: NOW,
  type: 'crp.created',
  crp_id: 'crp-001',
  agent: 'refiner',
  hash: 'h',
  seen_as: 'crp-001',
  why: 'question',
  question: 'Which?',
  crp: sampleQuestion(),
};
const completed: RunEvent = {
  at: NOW,
  type: 'run.completed',
  how: 'merge',
  merged: true,
  into: 'main',
  commit: BASE,
  tree: BASE,
};
const at = (seq: number, change: object = {}) => sampleState(sampleConfig(), { seq, ...change });

function stage(channel: Omit<NotificationChannel, 'name'>, change: Partial<Recipients> = {}) {
  const blames: PluginFailure[] = [];
  const audience: Recipients = {
    channels: [{ plugin: 'dure-x', section: 'x', channel: { name: 'x', ...channel } }],
    config: { ...sampleConfig(), plugins: { x: { key: 1 } } },
    project: '/project',
    sentence: enEvent,
    report: blame => blames.push(blame),
    platform: 'linux',
    ...change,
  };
  return { ...publisher(audience), blames };
}

function deferred() {
  let resolve = () => {};
  const promise = new Promise<void>(done => {
    resolve = done;
  });
  return { promise, resolve: () => resolve() };
}

function listener() {
  const heard: [Notification, PluginContext][] = [];
  return {
    heard,
    notify: (notification: Notification, context: PluginContext) => void heard.push([notification, context]),
  };
}

test('a channel gets one line of plain text, the command to answer with, and its own configuration section', async () => {
  const { heard, notify } = listener();
  const { publish } = stage({ notify });
  await publish(ready, at(5, { phase: 'ready_for_merge' }));
  await publish(failed, at(6));
  const [[first, context], [second]] = heard as [
    [Notification, PluginContext],
    [Notification, PluginContext],
  ];
  expect(first).toMatchObject({
    severity: 'success',
    text: 'Ready for review',
    command: `dure review ${RUN_ID}`,
  });
  expect(context).toMatchObject({ project: '/project', config: { key: 1 } });
  expect(context.signal.aborted).toBe(false);
  expect(second).toMatchObject({ severity: 'error', text: 'The run failed: no [2J more', command: null });
});

test('a channel without `on` receives the events that need the user', async () => {
  const quiet = listener();
  const eager = listener();
  const plain = stage({ notify: quiet.notify });
  const wide = stage({ notify: eager.notify, on: ['agent.started'] });
  for (const { publish } of [plain, wide]) {
    await publish(started, at(1));
    await publish(failed, at(2));
  }
  expect(quiet.heard.map(([n]) => n.event.type)).toEqual(['run.failed']);
  expect(eager.heard.map(([n]) => n.event.type)).toEqual(['agent.started']);
});

test.each(['warn', 'error'] as const)(
  'log_level %s filters out lower-level events, but not events that need the user',
  async level => {
    const { heard, notify } = listener();
    const config = sampleConfig();
    config.global.log_level = level;
    const { publish } = stage({ notify, on: ['agent.started', ...NEEDS_ATTENTION] }, { config });
    for (const [i, event] of [started, asked, ready, completed, failed].entries())
      await publish(event, at(i + 1));
    expect(heard.map(([n]) => n.event.type)).toEqual([
      'crp.created',
      'mrp.created',
      'run.completed',
      'run.failed',
    ]);
  },
);

test('a channel that is not enabled gets nothing; `enabled` receives the configuration and the platform', async () => {
  const { heard, notify } = listener();
  const asked: unknown[] = [];
  const enabled: NotificationChannel['enabled'] = (config, platform) => {
    asked.push([config.global.web_port, platform]);
    return false;
  };
  const { publish, blames } = stage({ notify, enabled });
  await publish(failed, at(1));
  expect(asked).toEqual([[3873, 'linux']]);
  expect([heard, blames]).toEqual([[], []]);
});

test.each<[string, Omit<NotificationChannel, 'name'>, RegExp]>([
  [
    'throws',
    {
      notify: () => {
        throw new Error('no net');
      },
    },
    /^channel x: no net$/,
  ],
  [
    'rejects',
    {
      notify: async () => {
        throw new Error('no net');
      },
    },
    /^channel x: no net$/,
  ],
  ['never returns', { notify: () => new Promise(() => {}) }, /took longer than 50 ms/],
  [
    'cannot say whether it is enabled',
    {
      enabled: () => {
        throw new Error('hm');
      },
      notify: () => {},
    },
    /hm/,
  ],
  ['returns text from enabled', { enabled: (() => 'maybe') as never, notify: () => {} }, /boolean/],
])('a channel that %s is reported, and the others are notified', async (_, bad, problem) => {
  const { heard, notify } = listener();
  const channels = [
    { plugin: 'dure-bad', section: 'bad', channel: { name: 'x', ...bad } },
    { plugin: 'dure-good', section: 'good', channel: { name: 'good', notify } },
  ];
  const { publish, blames } = stage({ notify }, { channels, limit_ms: 50 });
  await publish(failed, at(1));
  expect(heard).toHaveLength(1);
  expect(blames).toEqual([{ plugin: 'dure-bad', problem: expect.stringMatching(problem) }]);
});

test('a channel that takes too long is aborted through its AbortSignal', async () => {
  const aborted = deferred();
  const notify: NotificationChannel['notify'] = (_, { signal }) => {
    signal.addEventListener('abort', () => aborted.resolve());
    return new Promise<void>(() => {});
  };
  await stage({ notify }, { limit_ms: 20 }).publish(failed, at(1));
  await aborted.promise;
});

describe('delivery', () => {
  const opened = async (seq: number | null, events: readonly RunEvent[], notify: Publisher['publish']) => {
    const dir = await mkdtemp(join(tmpdir(), 'dure-delivery-'));
    onTestFinished(() => rm(dir, { recursive: true, force: true }));
    const files = runFiles(dir);
    if (seq !== null) await replaceJson(files.delivered, { seq });
    const delivery = await openEventDelivery(files, events, { publish: notify });
    const delivered = async () => (await load(deliveredFile, files.delivered))?.seq;
    return { ...delivery, delivered };
  };
  const begun: RunEvent = {
    at: NOW,
    type: 'run.started',
    run_id: RUN_ID,
    base: BASE,
    setup: setupWith(),
  } as RunEvent;

  test.each([
    ['announces what was recorded but not delivered', 1, ['agent.started', 'run.failed']],
    ['does not announce again what was delivered', 3, []],
    ['announces nothing about a run whose record of deliveries is lost', null, []],
  ] as const)('%s', async (_, seq, expected) => {
    const heard: [string, number][] = [];
    const { settled, delivered } = await opened(seq, [begun, started, failed], async (event, { seq }) => {
      heard.push([event.type, seq]);
      return true;
    });
    await settled();
    expect(heard.map(([type]) => type)).toEqual(expected);
    expect(heard.map(([, seq]) => seq)).toEqual(expected.map((_, i) => i + 2));
    expect(await delivered()).toBe(3);
  });

  test('sends the first event of a run that had no driver yet', async () => {
    const heard: string[] = [];
    const { settled } = await opened(null, [begun], async ({ type }) => heard.push(type) > 0);
    await settled();
    expect(heard).toEqual(['run.started']);
  });

  test('does not record an event as delivered while an earlier event is still being sent', async () => {
    const gate = deferred();
    const sent: number[] = [];
    const { announce, settled, delivered } = await opened(3, [begun, started, failed], async (_, { seq }) => {
      sent.push(seq);
      if (seq === 4) await gate.promise;
      return true;
    });
    announce(asked, at(4));
    announce(ready, at(5));
    await expect.poll(() => sent).toEqual([4, 5]);
    expect(await delivered()).toBe(3);
    gate.resolve();
    await settled();
    expect(await delivered()).toBe(5);
  });
});
