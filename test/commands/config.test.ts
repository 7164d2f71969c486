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

it('what is right is written, in the section of a plugin too, and found right', async () => {
  expect((await project.dure(['config', 'set', 'notify-webhook.url', 'https://example.com/hook'])).code).toBe(
    0,
  );
  expect(JSON.parse(await written())).toMatchObject({
    'notify-webhook': { url: 'https://example.com/hook' },
  });
  expect((await project.dure(['config', 'check'])).code).toBe(0);
});
