import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import bell from '../../plugins/notify-bell/src/index.ts';
import { ring } from '../../plugins/notify-bell/src/ring.ts';
import osascript from '../../plugins/notify-osascript/src/index.ts';
import send from '../../plugins/notify-send/src/index.ts';
import type { Notification, NotificationChannel } from '../../src/index.ts';
import { contributionsOf } from '../../src/plugins/load-contributions.ts';
import { NOW, RUN_ID, sampleConfig, sampleSummary } from '../helpers/sample-values.ts';

let dir: string;
const path = process.env['PATH'];
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'dure-notify-'));
});
afterEach(async () => {
  process.env['PATH'] = path;
  await rm(dir, { recursive: true, force: true, maxRetries: 20 });
});

const notification: Notification = {
  event: { at: NOW, type: 'run.failed', reason: 'x' },
  run: sampleSummary(),
  severity: 'error',
  text: '-e "$(touch /tmp/x)" <b>&',
  command: `dure review ${RUN_ID}`,
};
const context = () => ({ project: dir, config: undefined, signal: new AbortController().signal });
const channelOf = async (load: () => Promise<unknown>): Promise<NotificationChannel> => {
  const { channels, problems } = await contributionsOf([{ plugin: 'dure', load, builtIn: true }]);
  expect(problems).toEqual([]);
  return channels[0]!.channel;
};

/** A program of this name, first in PATH, that logs its arguments, separated by NUL. */
async function recorder(name: string): Promise<() => Promise<string[]>> {
  const file = join(dir, name);
  await writeFile(file, `#!/bin/sh\nprintf '%s\\0' "$@" > '${dir}/said'\n`);
  await chmod(file, 0o755);
  process.env['PATH'] = `${dir}:${path}`;
  return async () => (await readFile(join(dir, 'said'), 'utf8')).split('\0').slice(0, -1);
}

const wanting = () => {
  const config = sampleConfig();
  config.global.notifications = { terminal_bell: false, system_notify: true };
  return config;
};

test('the bell rings on a terminal', async () => {
  const written: string[] = [];
  await ring({ isTTY: true, write: (text: string) => written.push(text) }, join(dir, 'tty'));
  expect(written).toEqual(['\x07']);
});

test('without a terminal on standard error, the bell rings on the controlling terminal, never in a log', async () => {
  const device = join(dir, 'tty');
  await writeFile(device, '');
  const stream = { isTTY: false, write: () => expect.unreachable('a bell in a log') };
  await ring(stream, device);
  expect(await readFile(device, 'utf8')).toBe('\x07');
  await ring(stream, join(dir, 'no-terminal'));
});

test('terminal_bell enables and disables the bell', async () => {
  const channel = await channelOf(bell);
  expect(channel.enabled?.(sampleConfig(), 'linux')).toBe(true);
  expect(channel.enabled?.(wanting(), 'linux')).toBe(false);
});

test('notify-send gets the text as an argument, escaped as markup', async () => {
  const said = await recorder('notify-send');
  await (await channelOf(send)).notify(notification, context());
  expect(await said()).toEqual([
    ...['--app-name=Dure', '--urgency=critical', '--', `Dure ${RUN_ID}`],
    `-e "$(touch /tmp/x)" &lt;b&gt;&amp;\ndure review ${RUN_ID}`,
  ]);
});

test('notify-send is used only on Linux, if it is enabled and installed', async () => {
  const { enabled } = await channelOf(send);
  process.env['PATH'] = dir;
  expect(enabled?.(wanting(), 'linux')).toBe(false);
  await recorder('notify-send');
  expect(enabled?.(wanting(), 'linux')).toBe(true);
  expect(enabled?.(wanting(), 'darwin')).toBe(false);
  expect(enabled?.(sampleConfig(), 'linux')).toBe(false);
});

test('osascript gets the text as script arguments, never as part of the script', async () => {
  const said = await recorder('osascript');
  const channel = await channelOf(osascript);
  await channel.notify(notification, context());
  const args = await said();
  expect(args.slice(-3)).toEqual([`Dure ${RUN_ID}`, notification.text, notification.command]);
  expect(args.slice(0, -3).join('\n')).not.toContain('touch');
  expect(channel.enabled?.(wanting(), 'darwin')).toBe(true);
  expect(channel.enabled?.(wanting(), 'linux')).toBe(false);
  expect(channel.enabled?.(sampleConfig(), 'darwin')).toBe(false);
});

test('a channel fails if its program fails', async () => {
  await writeFile(join(dir, 'notify-send'), '#!/bin/sh\necho no display >&2; exit 1\n');
  await chmod(join(dir, 'notify-send'), 0o755);
  process.env['PATH'] = `${dir}:${path}`;
  await expect((await channelOf(send)).notify(notification, context())).rejects.toThrow('no display');
});
