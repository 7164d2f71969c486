import { access, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replaceJson } from '../../src/formats/read-and-write-files.ts';
import { packageRoot } from '../../src/process/package-paths-and-version.ts';
import { redirectJsonHelp } from '../../src/terminal/help-and-version-as-json.ts';
import { registryProject } from '../helpers/registry/registry-project.ts';
import type { TestProject } from '../helpers/test-project.ts';

const PATIENCE = 400_000;
const notifyFile = join(packageRoot, 'examples/notify-file');
let project: TestProject;
let remove: () => Promise<void>;
beforeAll(async () => {
  ({ project, remove } = await registryProject());
});
afterAll(() => remove());

describe("oclif's built-in responses", { timeout: PATIENCE }, () => {
  it.each([
    [['--json'], ['help', '--json']],
    [
      ['config', '--json'],
      ['help', 'config', '--json'],
    ],
    [
      ['config', 'get', '--help', '--json'],
      ['help', 'config', 'get', '--json'],
    ],
    [
      ['-h', '--json'],
      ['help', '--json'],
    ],
    [
      ['--version', '--json'],
      ['version', '--json'],
    ],
    [
      ['-V', '--json'],
      ['version', '--json'],
    ],
  ])('with --json, %j is redirected to the command %j', (argv, command) => {
    expect(redirectJsonHelp(argv, id => id === 'config')).toEqual(command);
  });

  it.each([[['config', 'get', '--json']], [['start', '--', '--help', '--json']], [['config']]])(
    '%j is not redirected',
    argv => {
      expect(redirectJsonHelp(argv, id => id === 'config')).toEqual(argv);
    },
  );

  it('are a single JSON value with --json', async () => {
    const said = async (...args: string[]) => (await project.dureJson(args)).json;
    expect(await said()).toEqual(await said('help'));
    expect(await said('config')).toMatchObject({ ok: true, version: 1, about: 'config' });
    const help = JSON.parse((await project.dure(['status', '--help', '--json'])).stdout);
    expect(help).toEqual(await said('help', 'status'));
    expect(help).toMatchObject({ about: 'status', help: expect.stringContaining('$ dure status [RUN]') });
    expect(await said('--version')).toMatchObject({ ok: true, version: 1, node: process.version });
    expect(await said('plugins')).toEqual({ ok: true, version: 1, plugins: [] });
  });

  it('suggest the flag that was probably meant', async () => {
    const { code, stderr } = await project.dure(['start', 'Anything', '--budgt', '3']);
    expect(code).toBe(2);
    expect(stderr).toContain('Did you mean `--budget`?');
    expect(stderr).toContain('See `dure start --help`.');
    expect((await project.dure(['status', '--frobnicate'])).stderr).not.toContain('Did you mean');
  });

  it('report E_COMMAND_UNKNOWN for an unknown name', async () => {
    for (const args of [['help', 'stauts'], ['stauts', '--help'], ['stauts']]) {
      const { code, json } = await project.dureJson(args);
      const text = await project.dure(args);
      expect([code, text.code]).toEqual([2, 2]);
      expect(json.error).toMatchObject({ code: 'E_COMMAND_UNKNOWN', exit: 2 });
      expect(text.stderr).toContain('Did you mean `dure status`?');
    }
  });
});

describe('dure plugins', { timeout: PATIENCE }, () => {
  it('checks that a path exists before anything is downloaded or linked', async () => {
    await mkdir(join(project.parentFolder, 'hollow'));
    for (const [command, path, why] of [
      ['install', '/nowhere', 'it does not exist'],
      ['install', './nowhere.tgz', 'it does not exist'],
      ['install', `file:${project.parentFolder}/hollow`, 'the folder has no package.json'],
      ['link', '/nowhere', 'it does not exist'],
      ['link', join(project.root, 'README.md'), 'it is not a folder'],
      ['link', join(project.parentFolder, 'hollow'), 'the folder has no package.json'],
    ] as const) {
      const { code, json, stderr } = await project.dureJson(['plugins', command, path]);
      expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
      expect(json.error).toMatchObject({ code: 'E_PLUGIN_PATH', message: expect.stringContaining(why) });
    }
  });

  it('reports in one line why npm failed, and changes nothing', async () => {
    await writeFile(join(project.parentFolder, 'torn.tgz'), 'torn');
    const { code, stdout, stderr } = await project.dure(['plugins', 'install', '../torn.tgz']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('(E_PLUGIN_INSTALL)');
    expect(stderr.trim().split('\n').length).toBeLessThan(8);
    expect((await project.dureJson(['plugins'])).json['plugins']).toEqual([]);
  });

  it('installs a plugin from its folder, describes it, and removes it by name or folder', async () => {
    const gives = { channels: ['file'] };
    const linked = await project.dureJson(['plugins', 'link', notifyFile]);
    expect(linked.json, linked.stdout).toMatchObject({ plugin: 'dure-notify-file', gives, problems: [] });
    const plugin = { plugin: 'dure-notify-file', plugin_version: '0.1.0', type: 'link', root: notifyFile };
    expect((await project.dureJson(['plugins'])).json['plugins']).toEqual([plugin]);
    const inspected = await project.dureJson(['plugins', 'inspect', 'dure-notify-file']);
    expect(inspected.json).toMatchObject({ ...plugin, gives });
    expect((await project.dure(['__complete', '--', 'plugins', 'uninstall', ''])).stdout).toBe(
      'dure-notify-file\t0.1.0\n',
    );
    const out = await project.dureJson(['plugins', 'uninstall', notifyFile]);
    expect(out.json).toEqual({ ok: true, version: 1, removed: ['dure-notify-file'] });
    const again = await project.dureJson(['plugins', 'inspect', 'dure-notify-file']);
    expect(again).toMatchObject({ code: 2, json: { error: { code: 'E_PLUGIN_UNKNOWN' } } });
    await expect(access(notifyFile)).resolves.toBeUndefined();
  });

  it('removes a plugin whose folder no longer exists', async () => {
    const root = join(project.parentFolder, 'dure-gone');
    const oclif = { hooks: { dure: './index.js' } };
    await replaceJson(join(root, 'package.json'), { name: 'dure-gone', version: '1.0.0', oclif });
    await writeFile(join(root, 'index.js'), 'export default 1;\n');
    expect((await project.dure(['plugins', 'link', root])).code).toBe(0);
    await rm(root, { recursive: true, force: true, maxRetries: 20 });
    const { json } = await project.dureJson(['plugins', 'uninstall', 'dure-gone']);
    expect(json).toMatchObject({ ok: true, removed: ['dure-gone'] });
  });
});
