/** `dure plugins check` tells an author what a plugin gives, and what is wrong with it. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { replaceJson } from '../../src/formats/file.ts';
import { packageRoot } from '../../src/package-root.ts';
import { type TestProject, testProject } from '../helpers/project.ts';

let project: TestProject;
beforeAll(async () => {
  project = await testProject();
});
afterAll(() => project.remove());

async function plugin(name: string, hook: string, { hooks = { dure: './index.js' }, manifest = true } = {}) {
  const root = join(project.beside, name);
  await replaceJson(join(root, 'package.json'), { name, version: '1.0.0', type: 'module', oclif: { hooks } });
  await writeFile(join(root, 'index.js'), hook);
  if (manifest) await replaceJson(join(root, 'oclif.manifest.json'), { version: '1.0.0', commands: {} });
  return root;
}
const check = (path: string) => project.dureJson(['plugins', 'check', path], { cwd: project.beside });

it('says what the examples give', async () => {
  const { code, json } = await check(join(packageRoot, 'examples/notify-file'));
  expect({ code, gives: json['gives'] }).toMatchObject({ code: 0, gives: { channels: ['file'], roles: [] } });
  const role = await check(join(packageRoot, 'examples/role-security'));
  expect(role.json['gives']).toMatchObject({ roles: ['security'], channels: [] });
  const told = await project.dure(['plugins', 'check', join(packageRoot, 'examples/notify-file')]);
  expect(told).toMatchObject({ code: 0, stderr: '' });
  expect(told.stdout).toContain('channels: file');
});

it.each([
  ['dure-throws', `export default async () => { throw new Error('no luck') }`, /no luck/],
  ['dure-hangs', 'export default () => new Promise(() => {})', /longer than/],
  ['dure-spins', 'export default () => { for (;;) {} }', /longer than/],
  ['dure-exits', 'export default () => process.exit(0)', /./],
  ['dure-wrong', `export default () => ({ name: 'x', channels: [{ name: 'y' }] })`, /notify/],
  ['dure-takes', `export default () => ({ name: 'x', channels: [{ name: 'bell', notify() {} }] })`, /bell/],
  ['dure-nothing', `export default () => ({ name: 'x' })`, /gives nothing/],
])('%s is told what is wrong, with exit status 1', async (name, hook, problem) => {
  const { code, json } = await check(await plugin(name, hook));
  expect(code).toBe(1);
  expect(json).toMatchObject({ ok: false, plugin: name, error: { code: 'E_PLUGIN', exit: 1 } });
  expect((json['problems'] as string[]).join('\n')).toMatch(problem);
});

it('misses the hook, the manifest, and the package itself', async () => {
  const good = `export default () => ({ name: 'x', channels: [{ name: 'x', notify() {} }] })`;
  const bare = await check(await plugin('dure-bare', good, { manifest: false }));
  expect(bare.json['problems']).toEqual([expect.stringContaining('oclif.manifest.json')]);
  const deaf = await check(await plugin('dure-deaf', good, { hooks: {} as { dure: string } }));
  expect(deaf.json['problems']).toEqual([expect.stringContaining('names no hook')]);
  const { code, json } = await check(join(project.beside, 'nowhere'));
  expect({ code, error: json.error?.code }).toEqual({ code: 1, error: 'E_PLUGIN' });
});
