/** A setting that is not right is refused, whoever it belongs to, and the file stays as it was. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestProject, testProject } from '../helpers/project.ts';

let project: TestProject;
beforeAll(async () => {
  project = await testProject();
  expect((await project.dure(['init', '--yes', '--backend', 'rehearsal'])).code).toBe(0);
});
afterAll(() => project.remove());

const written = () => readFile(project.files.configOf('global'), 'utf8');

it.each([
  ['a value in the section of a plugin', ['notify-webhook.url', 'x'], 'E_CONFIG', 'notify-webhook: url'],
  ['a key that a plugin does not know', ['notify-webhook', '{"nope":1}'], 'E_CONFIG', 'unknown key nope'],
  ['a backend that is not there', ['backend', 'nope'], 'E_BACKEND_UNKNOWN', 'nope'],
  ['a value of the wrong kind', ['max_iterations', 'many'], 'E_CONFIG', 'max_iterations'],
])('%s is refused, named, and not written', async (_, [key, value], code, named) => {
  const before = await written();
  const { json, code: exit } = await project.dureJson(['config', 'set', key!, value!]);
  expect({ exit, code: json.error?.code }).toEqual({ exit: 2, code });
  expect(json.error?.message).toContain(named);
  expect(await written()).toBe(before);
});

it.each([
  ['builder.modle', 'opus', 'There is no setting builder.modle.', 'model'],
  ['max_iteration', '3', 'There is no setting max_iteration.', 'max_iterations'],
  ['bulder.model', 'opus', 'There is no setting bulder.model.', 'builder'],
])(
  'a setting that there is not, %s, is named, with those that there are',
  async (key, value, message, known) => {
    const { json, code } = await project.dureJson(['config', 'set', key, value]);
    expect({ code, error: json.error }).toMatchObject({ code: 2, error: { code: 'E_CONFIG_KEY', message } });
    expect(json.error?.suggestions.join()).toMatch(new RegExp(`\\b${known}\\b`));
  },
);

it('names the files among what is known, when the first word of a setting is wrong', async () => {
  const { json } = await project.dureJson(['config', 'get', 'bulder']);
  expect(json.error?.suggestions.join()).toMatch(/\brefiner, builder, verifier, gatekeeper\b/);
});

it('a number is written as words where words are wanted', async () => {
  expect((await project.dureJson(['config', 'set', 'builder.model', '42'])).json).toMatchObject({
    ok: true,
    value: '42',
  });
});

it('shows the section of a plugin with its defaults', async () => {
  const { json } = await project.dureJson(['config', 'get', 'notify-webhook']);
  expect(json['value']).toMatchObject({ retries: expect.any(Number) });
});

it('what is right is written, in the section of a plugin too, and found right', async () => {
  expect((await project.dure(['config', 'set', 'notify-webhook.url', 'https://example.com/hook'])).code).toBe(
    0,
  );
  expect(JSON.parse(await written())).toMatchObject({
    'notify-webhook': { url: 'https://example.com/hook' },
  });
  expect((await project.dure(['config', 'check'])).code).toBe(0);
});
