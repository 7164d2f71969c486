/** Hooks and commands that installed plugins add to the command line: failures are reported with the plugin's name. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replaceJson } from '../../src/formats/read-and-write-files.ts';
import { packageRoot } from '../../src/process/package-paths-and-version.ts';
import { type TestProject, testProject } from '../helpers/test-project.ts';

const OCLIF = join(packageRoot, 'node_modules/@oclif/core/lib/index.js');
let project: TestProject;

async function link(name: string, hooks: Record<string, string>, commands: Record<string, string> = {}) {
  const root = join(project.parentFolder, name);
  await replaceJson(join(root, 'package.json'), {
    name,
    version: '1.0.0',
    type: 'module',
    oclif: {
      ...(Object.keys(commands).length > 0 && { commands: './commands' }),
      hooks: Object.fromEntries(Object.keys(hooks).map(event => [event, `./${event}.js`])),
    },
  });
  for (const [event, body] of Object.entries(hooks))
    await writeFile(join(root, `${event}.js`), `export default async function () { ${body} }\n`);
  if (Object.keys(commands).length > 0) await mkdir(join(root, 'commands'));
  for (const [id, run] of Object.entries(commands))
    await writeFile(
      join(root, 'commands', `${id}.js`),
      `import { Command } from ${JSON.stringify(OCLIF)};
       export default class extends Command { static enableJsonFlag = true; ${run} }\n`,
    );
  const linked = await project.dure(['plugins', 'link', '--no-install', root]);
  expect(linked, linked.stderr).toMatchObject({ code: 0 });
}
const unlink = (name: string) => project.dure(['plugins', 'uninstall', name]);
const plain = (text: string) => text.replace(/\s+/g, ' ');

beforeAll(async () => {
  project = await testProject();
  await project.dure(['init', '--yes', '--backend', 'rehearsal']);
});
afterAll(() => project?.remove());

describe('hooks that fail', () => {
  const WRONG: Record<string, readonly [hook: string, body: string, said: RegExp]> = {
    'dure-errors': ['init', `this.error('given up', { exit: 7 })`, /init hook: given up/],
    'dure-exits': ['init', 'process.exit(0)', /init hook: it called process\.exit\(0\)/],
    'dure-throws': ['prerun', `throw new Error('no luck')`, /prerun hook: no luck/],
    'dure-leaves': [
      'postrun',
      `setTimeout(() => process.exit(3)); await new Promise(() => {})`,
      /postrun hook: it called process\.exit\(3\)/,
    ],
    'dure-hangs': ['init', 'await new Promise(() => {})', /init hook: it took longer than \d+ ms/],
  };
  beforeAll(async () => {
    for (const [name, [hook, body]] of Object.entries(WRONG)) await link(name, { [hook]: body });
    await link('dure-prints', { init: `console.log('hello from a hook')` });
  });
  afterAll(() => project.dure(['plugins', 'reset', '--hard']));

  it('are reported, and do not change what the command prints', async () => {
    const { code, stdout, stderr } = await project.dure(['config', 'get', 'max_iterations', '--json']);
    expect({ code, value: JSON.parse(stdout).value }).toEqual({ code: 0, value: 3 });
    for (const [name, [, , said]] of Object.entries(WRONG)) {
      const [, warning = ''] = plain(stderr).split(`Plugin ${name}: `);
      expect(warning, stderr).toMatch(said);
    }
    expect(stderr).toContain('hello from a hook');
  });

  it('are not run by commands that manage plugins', async () => {
    const { code, stdout, stderr } = await project.dure(['plugins']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('dure-hangs');
  });

  it('are not loaded with DURE_NO_PLUGINS=1, but built-in plugins still are', async () => {
    const env = { DURE_NO_PLUGINS: '1' };
    const { code, stdout, stderr } = await project.dure(['config', 'get', 'notify-webhook'], { env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('"retries": 3');
  });
});

it('a plugin that never finishes loading can be uninstalled with DURE_NO_PLUGINS=1', async () => {
  await link('dure-spins', {}, { spin: 'async run() {}' });
  await writeFile(join(project.parentFolder, 'dure-spins', 'commands', 'spin.js'), 'for (;;);\n');
  const env = { DURE_NO_PLUGINS: '1' };
  expect(await project.dure(['plugins', 'uninstall', 'dure-spins'], { env })).toMatchObject({ code: 0 });
  expect(await project.dure(['plugins'])).toMatchObject({ code: 0, stderr: '' });
});

it('a hook for unknown commands may answer, or set the exit status and message', async () => {
  await link('dure-guesses', { command_not_found: `console.log('did you mean status?')` });
  expect(await project.dure(['statu'])).toMatchObject({ code: 0, stdout: 'did you mean status?\n' });
  await unlink('dure-guesses');
  await link('dure-refuses', { command_not_found: `this.error('nothing like it', { exit: 127 })` });
  const refused = await project.dure(['statu']);
  expect(refused).toMatchObject({ code: 127, stderr: expect.stringContaining('nothing like it') });
  await unlink('dure-refuses');
});

it('a plugin command keeps its exit status and message, in both text and JSON output', async () => {
  await link(
    'dure-greets',
    {},
    {
      greet: `async run() { await this.parse(); this.error('no such person', { exit: 9, suggestions: ['Ask at the desk'] }) }`,
    },
  );
  const text = await project.dure(['greet']);
  expect(text).toMatchObject({ code: 9, stdout: '' });
  expect(text.stderr).toMatch(/^Error: +no such person\nTry: +Ask at the desk\n\(E_COMMAND\)\n$/);
  const { code, stdout } = await project.dure(['greet', '--json']);
  expect({ code, json: JSON.parse(stdout) }).toMatchObject({
    code: 9,
    json: { error: { oclif: { exit: 9 } } },
  });
  await unlink('dure-greets');
});
