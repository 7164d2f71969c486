/** An invalid setting is refused, whether it is Dure's or a plugin's, and the file is unchanged. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { roleSettings } from '../../src/formats/config/config.ts';

import { packageRoot } from '../../src/process/package-paths-and-version.ts';
import { readConfig } from '../../src/workspace/project/read-and-write-config.ts';
import { type TestProject, testProject } from '../helpers/test-project.ts';

let project: TestProject;
beforeAll(async () => {
  project = await testProject();
  expect((await project.dure(['init', '--yes', '--backend', 'rehearsal'])).code).toBe(0);
});
afterAll(() => project.remove());

const written = () => readFile(project.files.configOf('global'), 'utf8');

it.each([
  [
    "an invalid value in a plugin's section",
    ['notify-webhook.url', 'x'],
    'E_CONFIG_VALUE',
    'notify-webhook: url',
  ],
  [
    "an unknown key in a plugin's section",
    ['notify-webhook', '{"nope":1}'],
    'E_CONFIG_VALUE',
    'unknown key nope',
  ],
  ['an unknown backend', ['backend', 'nope'], 'E_BACKEND_UNKNOWN', 'nope'],
  ['a blank command', ['workspace.setup', ' '], 'E_CONFIG_VALUE', 'workspace.setup'],
  ['a value of the wrong type', ['max_iterations', 'many'], 'E_CONFIG_VALUE', 'max_iterations'],
  [
    'a time limit for an unknown role',
    ['timeouts.nobody', '60000'],
    'E_CONFIG_VALUE',
    'unknown key timeouts.nobody',
  ],
  [
    'a model for an unknown role',
    ['roles.nobody.model', 'opus'],
    'E_CONFIG_VALUE',
    'unknown key roles.nobody',
  ],
  [
    'a model that belongs in another file',
    ['roles.builder.model', 'opus'],
    'E_CONFIG_VALUE',
    'config/builder.json',
  ],
])('%s is refused, and the error names its key', async (_, [key, value], code, named) => {
  const before = await written();
  const { json, code: exit } = await project.dureJson(['config', 'set', key!, value!]);
  expect({ exit, code: json.error?.code }).toEqual({ exit: 2, code });
  expect(json.error?.message).toContain(named);
  expect(await written()).toBe(before);
});

it.each([
  ['builder.modle', 'opus', 'Unknown setting builder.modle.', 'model'],
  ['max_iteration', '3', 'Unknown setting max_iteration.', 'max_iterations'],
  ['bulder.model', 'opus', 'Unknown setting bulder.model.', 'builder'],
])('the unknown setting %s is reported with the known ones', async (key, value, message, known) => {
  const { json, code } = await project.dureJson(['config', 'set', key, value]);
  expect({ code, error: json.error }).toMatchObject({ code: 2, error: { code: 'E_CONFIG_KEY', message } });
  expect(json.error?.suggestions.join()).toMatch(new RegExp(`\\b${known}\\b`));
});

it('if the first part of a key is unknown, the suggestions include the names of the configuration files', async () => {
  const { json } = await project.dureJson(['config', 'get', 'bulder']);
  expect(json.error?.suggestions.join()).toMatch(/\brefiner, builder, verifier, gatekeeper\b/);
});

it('a number is stored as text if the setting takes text', async () => {
  expect((await project.dureJson(['config', 'set', 'builder.model', '42'])).json).toMatchObject({
    ok: true,
    value: '42',
  });
});

it("config get shows a plugin's section with its defaults", async () => {
  const { json } = await project.dureJson(['config', 'get', 'notify-webhook']);
  expect(json['value']).toMatchObject({ retries: expect.any(Number) });
});

it("config set writes a valid value that config check accepts, including in a plugin's section", async () => {
  expect((await project.dure(['config', 'set', 'notify-webhook.url', 'https://example.com/hook'])).code).toBe(
    0,
  );
  expect(JSON.parse(await written())).toMatchObject({
    'notify-webhook': { url: 'https://example.com/hook' },
  });
  expect((await project.dure(['config', 'check'])).code).toBe(0);
});

it("the time limit, model and backend of a plugin's role can be configured", async () => {
  const linked = await project.dure(['plugins', 'link', join(packageRoot, 'examples/role-security')]);
  expect(linked, linked.stderr).toMatchObject({ code: 0 });
  for (const [key, value] of [
    ['timeouts.security', '60000'],
    ['roles.security.model', 'opus'],
    ['roles.security.backend', 'claude'],
  ] as const)
    expect(await project.dure(['config', 'set', key, value])).toMatchObject({ code: 0, stderr: '' });
  expect(await project.dure(['config', 'check'])).toMatchObject({ code: 0, stderr: '' });
  const config = await readConfig(project.files, ['notify-webhook']);
  expect(roleSettings(config, 'security')).toEqual({ model: 'opus', backend: 'claude' });
  expect(config.global.timeouts).toMatchObject({ builder: 600_000, security: 60_000 });
  await project.dure(['plugins', 'uninstall', 'dure-role-security']);
  const { json } = await project.dureJson(['config', 'check']);
  expect(json.error?.message).toMatch(/unknown key timeouts\.security\n.*unknown key roles\.security$/);
});

it('a configuration file that Dure does not read is reported', async () => {
  await project.write('.dure/config/security.json', '{}');
  const { code, json } = await project.dureJson(['config', 'check']);
  expect(code).toBe(2);
  expect(json.error?.message).toContain('.dure/config/security.json: unknown file (known: global.json');
});
