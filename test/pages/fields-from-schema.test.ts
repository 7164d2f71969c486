import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CONFIG_NAMES, configFiles } from '../../src/formats/config/config.ts';
import { valueAt, withValue } from '../../src/formats/config/value-at-path.ts';
import { jsonSchema } from '../../src/formats/schema/define-file.ts';
import { offering, viewSetting } from '../../src/server/project-settings.ts';
import { formatEditableDuration, parseEditableDuration } from '../../src/server/ui/editable-duration.ts';
import { groupsOf } from '../../src/server/ui/fields-from-schema.ts';
import { formatFieldValue, parseFieldText } from '../../src/server/ui/form-field-values.ts';
import { en } from '../../src/words/pages/en.ts';
import { ko } from '../../src/words/pages/ko.ts';
import { createProjectFolders } from '../../src/workspace/project/create-folders-and-config.ts';

const fieldsOf = (name: (typeof CONFIG_NAMES)[number]) =>
  groupsOf(jsonSchema(configFiles[name])).flatMap(group => group.fields);
const field = (path: string) => fieldsOf('global').find(one => one.path === path)!;

describe('the form of a configuration file', () => {
  it.each(CONFIG_NAMES)('has a field for every writable key of %s', name => {
    const leaves = (value: object, path: string): string[] =>
      Object.entries(value).flatMap(([key, below]) =>
        below !== null && typeof below === 'object' && !Array.isArray(below)
          ? leaves(below, `${path}${key}.`)
          : [`${path}${key}`],
      );
    const paths = fieldsOf(name).map(one => one.path);
    expect(paths).toEqual(expect.arrayContaining(leaves(configFiles[name].shape.parse({}), '')));
  });

  it.each(CONFIG_NAMES)('shows each default of %s as text that parses back to the same value', name => {
    const defaults = configFiles[name].shape.parse({});
    for (const one of fieldsOf(name)) {
      const value = valueAt(defaults, one.path);
      if (one.kind === 'switch' || one.kind === 'several') continue;
      expect(parseFieldText(one, formatFieldValue(one, value)), one.path).toEqual(value);
    }
  });

  it.each(CONFIG_NAMES)('names every key of %s in both languages', name => {
    for (const { path } of fieldsOf(name))
      for (const words of [en, ko])
        expect(
          words.setting(`${name}.${path}`) ?? words.setting(path.split('.').at(-1)!),
          `${name}.${path}`,
        ).toBeDefined();
  });

  it("treats an empty budget as no limit, and a role's empty backend as the project default", () => {
    expect(parseFieldText(field('budget_usd'), '')).toBeNull();
    const backend = fieldsOf('builder').find(one => one.path === 'backend')!;
    expect(
      withValue<unknown>({ backend: 'claude', model: 'x' }, 'backend', parseFieldText(backend, ' ')),
    ).toEqual({
      model: 'x',
    });
  });

  it('leaves text that is not a number for the server to report', () => {
    expect(parseFieldText(field('max_iterations'), 'many')).toBe('many');
    expect(parseFieldText(field('max_iterations'), '4')).toBe(4);
  });

  it('accepts a duration in milliseconds or with units', () => {
    const builder = field('timeouts.builder');
    expect(builder.kind).toBe('time');
    expect(
      ['300000', '5 min', '5m', '1h30m', '1.5 h', '90s', '1시간 30분', '500 ms'].map(text =>
        parseFieldText(builder, text),
      ),
    ).toEqual([300_000, 300_000, 300_000, 5_400_000, 5_400_000, 90_000, 5_400_000, 500]);
    expect(['soon', '5 days', '5 min or so', 'min'].map(text => parseFieldText(builder, text))).toEqual([
      'soon',
      '5 days',
      '5 min or so',
      'min',
    ]);
  });

  it.each([en, ko])('parses the durations that it shows in $name', words => {
    for (const ms of [1, 100, 12_345, 60_000, 300_000, 5_400_000, 86_400_000])
      expect(
        parseEditableDuration(formatEditableDuration(words, ms)),
        formatEditableDuration(words, ms),
      ).toBe(ms);
    expect(formatEditableDuration(words, 5_400_000)).toBe(words === en ? '1 h 30 min' : '1시간 30분');
  });

  it.each(CONFIG_NAMES)('offers the registered backends in %s', async name => {
    const { project } = await createProjectFolders(await mkdtemp(join(tmpdir(), 'dure-schema-')));
    onTestFinished(() => rm(project.root, { recursive: true, force: true, maxRetries: 20 }));
    const { schema } = offering(await viewSetting(project, name, []), {
      backend: ['claude', 'sample'],
      pipeline: ['full'],
    });
    const backend = groupsOf(schema)
      .flatMap(group => group.fields)
      .find(one => one.path === 'backend');
    expect(backend).toMatchObject({ kind: 'choice', choices: ['claude', 'sample'] });
  });
});
