/** `dure plugins install` with the real npm and a loopback registry. */
import { execFile } from 'node:child_process';
import { cp, lstat, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replaceJson } from '../../src/formats/read-and-write-files.ts';
import { packageRoot } from '../../src/process/package-paths-and-version.ts';
import { registryProject } from '../helpers/registry/registry-project.ts';
import type { TestProject } from '../helpers/test-project.ts';

const notifyFile = join(packageRoot, 'examples/notify-file');
let project: TestProject;
let remove: () => Promise<void>;
beforeAll(async () => {
  ({ project, remove } = await registryProject());
});
afterAll(() => remove());

describe('dure plugins install', () => {
  it('installs folders and repositories one after another, without changing those installed before', async () => {
    const env = project.env as NodeJS.ProcessEnv;
    const repository = join(project.parentFolder, 'dure-kept-in-git');
    await cp(join(packageRoot, 'examples/notify-file'), repository, { recursive: true });
    await replaceJson(join(repository, 'package.json'), {
      name: 'dure-kept-in-git',
      version: '0.3.0',
      type: 'module',
      oclif: { hooks: { dure: './index.js' } },
    });
    const git = (...args: string[]) => promisify(execFile)('git', args, { cwd: repository, env });
    await git('init', '--quiet');
    await git('add', '--all');
    await git('commit', '--quiet', '--message=Begin');
    const named = async (what: string) => {
      const { json, stdout } = await project.dureJson(['plugins', 'install', what]);
      expect(json.ok, stdout).toBe(true);
      return (json['plugins'] as { plugin: string }[]).map(({ plugin }) => plugin);
    };
    expect(await named(notifyFile)).toEqual(['dure-notify-file']);
    expect(await named(join(packageRoot, 'examples/role-security'))).toEqual(['dure-role-security']);
    expect(await named(`git+file://${repository}`)).toEqual(['dure-kept-in-git']);
    const whole = async () => {
      const plugins = (await project.dureJson(['plugins'])).json['plugins'] as {
        plugin: string;
        root: string;
      }[];
      for (const { root } of plugins) expect((await lstat(root)).isSymbolicLink(), root).toBe(false);
      return plugins.map(({ plugin }) => plugin).sort();
    };
    expect(await whole()).toEqual(['dure-kept-in-git', 'dure-notify-file', 'dure-role-security']);
    expect((await project.dureJson(['plugins', 'uninstall', 'dure-role-security'])).json.ok).toBe(true);
    expect(await whole()).toEqual(['dure-kept-in-git', 'dure-notify-file']);
    expect((await project.dureJson(['plugins', 'update'])).json.ok).toBe(true);
    expect(await whole()).toEqual(['dure-kept-in-git', 'dure-notify-file']);
    const { json } = await project.dureJson(['plugins', 'reset', '--reinstall']);
    expect(json).toMatchObject({ ok: true, reinstalled: ['dure-notify-file', 'dure-kept-in-git'] });
    expect(await whole()).toEqual(['dure-kept-in-git', 'dure-notify-file']);
    await project.dureJson(['plugins', 'reset']);
  });

  it('installs a folder with its dependencies, and reports a linked folder that lacks them', async () => {
    const dependency = join(project.parentFolder, 'tiny');
    await replaceJson(join(dependency, 'package.json'), { name: 'a-tiny-name', version: '1.0.0' });
    await writeFile(join(dependency, 'index.js'), `module.exports = 'tiny';\n`);
    const env = project.env as NodeJS.ProcessEnv;
    await promisify(execFile)('npm', ['pack', '--pack-destination', project.parentFolder], {
      cwd: dependency,
      env,
    });
    const root = join(project.parentFolder, 'dure-needs');
    await replaceJson(join(root, 'package.json'), {
      name: 'dure-needs',
      version: '1.0.0',
      type: 'module',
      dependencies: { 'a-tiny-name': `file:${project.parentFolder}/a-tiny-name-1.0.0.tgz` },
      oclif: { hooks: { dure: './index.js' } },
    });
    await writeFile(
      join(root, 'index.js'),
      `import name from 'a-tiny-name';\nexport default () => ({ name, channels: [{ name, notify() {} }] });\n`,
    );
    const linked = await project.dure(['plugins', 'link', root]);
    expect(linked.code).toBe(0);
    expect(linked.stderr.replaceAll(/\s+/g, ' ')).toContain(
      "Plugin dure-needs: Cannot find package 'a-tiny-name'",
    );
    await project.dure(['plugins', 'uninstall', 'dure-needs']);
    const { json, stdout } = await project.dureJson(['plugins', 'install', root]);
    expect(json, stdout).toMatchObject({
      ok: true,
      plugins: [{ plugin: 'dure-needs', gives: { channels: ['tiny'] }, problems: [] }],
    });
    await project.dureJson(['plugins', 'install', notifyFile]);
    await project.dureJson(['plugins', 'install', join(packageRoot, 'examples/role-security')]);
    for (const change of [['update'], ['uninstall', 'dure-role-security']]) {
      expect((await project.dureJson(['plugins', ...change])).code).toBe(0);
      for (const [name, channel] of [
        ['dure-needs', 'tiny'],
        ['dure-notify-file', 'file'],
      ]) {
        const inspected = await project.dureJson(['plugins', 'inspect', name!]);
        expect(inspected.json).toMatchObject({ gives: { channels: [channel] }, problems: [] });
      }
    }
    const { removed } = (await project.dureJson(['plugins', 'reset'])).json;
    expect(removed).toEqual(['dure-needs', 'dure-notify-file']);
  });

  it('installs an ordinary oclif plugin without warnings, and runs its hooks when another plugin is installed', async () => {
    const root = join(project.parentFolder, 'ordinary');
    const witness = join(project.parentFolder, 'witness');
    const append = (text: string) =>
      `(await import('node:fs')).appendFileSync(${JSON.stringify(witness)}, ${text});`;
    const files = {
      'package.json': JSON.stringify({
        name: 'ordinary',
        version: '1.0.0',
        type: 'module',
        oclif: {
          commands: './commands',
          hooks: { 'plugins:preinstall': './before.js', 'plugins:postinstall': './after.js' },
        },
      }),
      'before.js': `export default async ({ plugin }) => { ${append("'before ' + plugin.type + '\\n'")} };`,
      'after.js': `export default ({ config }) => config.runCommand('greet');`,
      'commands/greet.js': `export default class { static run = async () => { ${append("'greet\\n'")} }; }`,
    };
    await mkdir(join(root, 'commands'), { recursive: true });
    for (const [name, text] of Object.entries(files)) await writeFile(join(root, name), text);
    const { json, stderr } = await project.dureJson(['plugins', 'install', root]);
    expect({ json, stderr }).toMatchObject({
      json: { ok: true, plugins: [{ gives: { commands: ['greet'] }, problems: [] }] },
      stderr: '',
    });
    expect(await readFile(witness, 'utf8')).toBe('greet\n');
    await project.dureJson(['plugins', 'install', notifyFile]);
    expect(await readFile(witness, 'utf8')).toBe('greet\nbefore repo\ngreet\n');
    await project.dureJson(['plugins', 'reset']);
  });
});
