import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Config, Plugin } from '@oclif/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadContributions } from '../../src/plugins/load-contributions.ts';

/** Long enough for the other plugins to load on a machine that stalls for seconds. */
const LIMIT_MS = 15_000;

let dir: string;
let host: string;

async function install(name: string, hooks: Record<string, string>): Promise<string> {
  const root = join(dir, name);
  await mkdir(root, { recursive: true });
  const files = Object.keys(hooks).map(file => `./${file}`);
  const manifest = {
    name,
    version: '1.0.0',
    type: 'module',
    oclif: { bin: name, commands: './commands', hooks: { dure: files } },
  };
  await writeFile(join(root, 'package.json'), JSON.stringify(manifest));
  await mkdir(join(root, 'commands'), { recursive: true });
  for (const [file, text] of Object.entries(hooks)) await writeFile(join(root, file), text);
  return root;
}

const channel = (name: string) =>
  `export default async () => ({ name: '${name}', channels: [{ name: '${name}', notify() {} }] })`;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'dure-plugins-'));
  host = await install('host', { 'one.js': channel('one'), 'two.js': channel('two') });
});
afterAll(() => rm(dir, { recursive: true, force: true, maxRetries: 20 }));

/** The configuration of a program in which plugins are installed. */
async function configWith(strangers: Record<string, string>): Promise<Config> {
  const config = await Config.load({ root: host, devPlugins: false, userPlugins: false });
  for (const [name, text] of Object.entries(strangers)) {
    const plugin = new Plugin({ root: await install(name, { 'hook.js': text }), name });
    await plugin.load();
    config.plugins.set(name, plugin);
  }
  return config;
}

test("oclif loads every plugin, and failures are reported with the plugin's name", async () => {
  const config = await configWith({
    'dure-fine': channel('fine'),
    'dure-throws': `export default async () => { throw new Error('no luck') }`,
    'dure-exits': 'export default async function () { this.exit(3) }',
    'dure-errors': `export default async function () { this.error('given up', { exit: 4 }) }`,
    'dure-import': `import 'not-there-at-all'; export default async () => ({ name: 'x' })`,
    'dure-empty': 'export default async () => {}',
  });
  const { channels, problems } = await loadContributions(config, { limit_ms: 60_000 });
  expect(channels.map(c => [c.plugin, c.channel.name])).toEqual([
    ['one', 'one'],
    ['two', 'two'],
    ['dure-fine', 'fine'],
  ]);
  expect(Object.fromEntries(problems.map(p => [p.plugin, p.problem]))).toEqual({
    'dure-throws': 'no luck',
    'dure-exits': expect.stringContaining('EEXIT'),
    'dure-errors': 'given up',
    'dure-import': expect.stringContaining('not-there-at-all'),
    'dure-empty': expect.stringContaining('expected object'),
  });
});

test('a plugin that never finishes loading is reported, and the others are loaded', async () => {
  const config = await configWith({
    'dure-hangs': 'export default () => new Promise(() => {})',
    'dure-loads': 'await new Promise(() => {}); export default async () => ({ name: "y" })',
  });
  const { channels, problems } = await loadContributions(config, { limit_ms: LIMIT_MS });
  expect(channels.map(c => c.channel.name)).toEqual(['one', 'two']);
  expect(Object.fromEntries(problems.map(p => [p.plugin, p.problem]))).toEqual({
    'dure-hangs': expect.stringContaining(`${LIMIT_MS} ms`),
    'dure-loads': expect.stringContaining(`${LIMIT_MS} ms`),
  });
});
