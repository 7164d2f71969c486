/** `dure plugins check` lists a plugin's contributions and problems for its author. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { replaceJson } from '../../src/formats/read-and-write-files.ts';
import { packageRoot } from '../../src/process/package-paths-and-version.ts';
import { type TestProject, testProject } from '../helpers/test-project.ts';

let project: TestProject;
beforeAll(async () => {
  project = await testProject();
});
afterAll(() => project.remove());

async function plugin(name: string, hook: string, { hooks = { dure: './index.js' }, manifest = true } = {}) {
  const root = join(project.parentFolder, name);
  await replaceJson(join(root, 'package.json'), { name, version: '1.0.0', type: 'module', oclif: { hooks } });
  await writeFile(join(root, 'index.js'), hook);
  if (manifest) await replaceJson(join(root, 'oclif.manifest.json'), { version: '1.0.0', commands: {} });
  return root;
}
const check = (path: string) => project.dureJson(['plugins', 'check', path], { cwd: project.parentFolder });

it('plugins check lists the contributions of the examples', async () => {
  const { code, json } = await check(join(packageRoot, 'examples/notify-file'));
  expect({ code, gives: json['gives'] }).toMatchObject({ code: 0, gives: { channels: ['file'], roles: [] } });
  const role = await check(join(packageRoot, 'examples/role-security'));
  expect(role.json['gives']).toMatchObject({ roles: ['security'], channels: [] });
  const told = await project.dure(['plugins', 'check', join(packageRoot, 'examples/notify-file')]);
  expect(told).toMatchObject({ code: 0, stderr: '' });
  expect(told.stdout).toContain('channels: file');
});

// test/e2e/failing-plugins.test.ts checks plugins that hang.
it.each([
  ['dure-throws', `export default async () => { throw new Error('no luck') }`, /no luck/],
  ['dure-exits', 'export default () => process.exit(0)', /./],
  ['dure-wrong', `export default () => ({ name: 'x', channels: [{ name: 'y' }] })`, /notify/],
  ['dure-takes', `export default () => ({ name: 'x', channels: [{ name: 'bell', notify() {} }] })`, /bell/],
  ['dure-nothing', `export default () => ({ name: 'x' })`, /contributes nothing/],
])('plugins check reports what is wrong with %s and exits with status 1', async (name, hook, problem) => {
  const { code, json } = await check(await plugin(name, hook));
  expect(code).toBe(1);
  expect(json).toMatchObject({ ok: false, plugin: name, error: { code: 'E_PLUGIN_FAULTY', exit: 1 } });
  expect((json['problems'] as string[]).join('\n')).toMatch(problem);
});

it('plugins check reports a missing hook or package, but only gives advice about a missing manifest', async () => {
  const good = `export default () => ({ name: 'x', channels: [{ name: 'x', notify() {} }] })`;
  const bare = await check(await plugin('dure-bare', good, { manifest: false }));
  expect(bare).toMatchObject({
    code: 0,
    json: { ok: true, problems: [], advice: [expect.stringContaining('oclif.manifest.json')] },
  });
  const commanding = await plugin('dure-commands', good, { manifest: false });
  await replaceJson(join(commanding, 'package.json'), {
    name: 'dure-commands',
    version: '1.0.0',
    type: 'module',
    oclif: { commands: './commands', hooks: { dure: './index.js' } },
  });
  await mkdir(join(commanding, 'commands'));
  await writeFile(join(commanding, 'commands', 'greet.js'), 'export default class { static async run() {} }');
  const { advice } = (await check(commanding)).json as unknown as { advice: string[] };
  // Such a manifest would hide its commands.
  expect(advice.join()).not.toContain('"commands":{}');
  expect(advice).toEqual([expect.stringContaining('oclif manifest')]);
  const deaf = await check(await plugin('dure-deaf', good, { hooks: {} as { dure: string } }));
  expect(deaf.json['problems']).toEqual([expect.stringContaining('declares no command and no hook')]);
  const { code, json } = await check(join(project.parentFolder, 'nowhere'));
  expect({ code, error: json.error?.code }).toEqual({ code: 2, error: 'E_PLUGIN_PATH' });
  expect(json.error?.message).toMatch(/nowhere: it does not exist\.$/);
});

it('plugins check gives advice for a plugin author, not for someone who installed the plugin', async () => {
  const { stderr } = await project.dure(['plugins', 'check', await plugin('dure-told', 'export default 1')]);
  expect(stderr).toContain('Fix these problems and run the check again');
  expect(stderr).not.toMatch(/uninstall|continues without/);
});

it('plugins check accepts the 15-line plugin in the docs', async () => {
  const page = await readFile(join(packageRoot, 'docs', 'plugins.md'), 'utf8');
  const [, manifest = '', code = ''] =
    /^```json\n([\s\S]*?)^```[\s\S]*?^```js\n([\s\S]*?)^```/m.exec(page) ?? [];
  const root = join(project.parentFolder, 'dure-notify-file');
  await mkdir(root);
  await writeFile(join(root, 'package.json'), manifest);
  await writeFile(join(root, 'index.js'), code);
  const { code: exit, json } = await check(root);
  expect({ exit, json }).toMatchObject({ exit: 0, json: { gives: { channels: ['file'] }, problems: [] } });
});
