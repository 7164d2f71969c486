import { expect, test } from 'vitest';
import { z } from 'zod';
import builtInRoles from '../../plugins/built-in-roles/src/index.ts';
import { jsonSchema } from '../../src/formats/schema/define-file.ts';
import type { Backend, Plugin, Start } from '../../src/index.ts';
import {
  contributionsOf,
  type PluginFailure,
  type Source,
  withSectionDefaults,
} from '../../src/plugins/load-contributions.ts';
import { builtInPipeline, configWith } from '../helpers/built-in-pipeline.ts';
import { SAMPLE_PROMPT_INPUT, sampleConfig, sampleSummary } from '../helpers/sample-values.ts';

const from = (plugin: string, given: unknown, builtIn = false): Source => ({
  plugin,
  builtIn,
  load: async () => given,
});
const channel = (name: string) => ({ name, notify: () => {} });
interface RoleChange extends Record<string, unknown> {
  readonly name?: string;
  readonly step?: object;
}
/** A role with one step of the same name. */
const role = ({ step = {}, ...change }: RoleChange = {}) => ({
  name: 'security',
  prompt: () => 'Look.',
  steps: [
    {
      name: change.name ?? 'security',
      outputs: [{ file: 'security/report.md', about: 'the report' }],
      ...step,
    },
  ],
  ...change,
});
const start: Start = {
  role: 'builder',
  model: 'm',
  launch: 1,
  part: 1,
  mode: 'build',
  runDir: '/r',
  cwd: '/r',
  bypass: false,
  budget_usd: null,
  resume: null,
  cassette: null,
  env: {},
  mcp_servers: {},
};
const _input = () => ({ run: sampleSummary(), config: sampleConfig(), mode: 'security', verdicts: [] });
const given = { verdict: 'LATER', reason: 'because' };

test('valid contributions are available under their names', async () => {
  const shape = z.strictObject({ url: z.string() });
  const plugin: Plugin = {
    name: 'all',
    channels: [channel('one')],
    roles: [role()],
    verdicts: [{ verdict: 'LATER', when: 'it can wait', outcome: () => ({ next: 'ask' }) }],
    backends: [{ name: 'other', stream: 'text', start: () => ({ argv: ['true'] }) }],
    config: shape,
  };
  const gathered = await contributionsOf([from('dure-all', plugin)]);
  expect(gathered.problems).toEqual([]);
  expect(gathered.channels).toMatchObject([{ plugin: 'dure-all', section: 'all', channel: { name: 'one' } }]);
  expect(gathered.roles[0]).toMatchObject({ name: 'security', steps: [{ name: 'security' }] });
  expect(await gathered.roles[0]?.prompt(SAMPLE_PROMPT_INPUT)).toBe('Look.');
  expect(await gathered.verdicts[0]?.outcome(given, sampleSummary())).toEqual({ next: 'ask' });
  expect(await gathered.backends[0]?.start(start)).toEqual({ argv: ['true'] });
  expect(gathered.configShapes).toEqual({ all: shape });
});

test.each<[string, () => Promise<unknown>, RegExp]>([
  ['throws', () => Promise.reject(new Error('no luck')), /^no luck$/],
  ['throws a string', () => Promise.reject('just text'), /^just text$/],
  [
    'throws a value that cannot be printed',
    () =>
      Promise.reject({
        toString: () => {
          throw new Error('x');
        },
      }),
    /cannot be printed/,
  ],
  ['never returns', () => new Promise(() => {}), /longer than 50 ms/],
  ['returns nothing', async () => undefined, /expected object/],
  ['returns a list', async () => [], /expected object/],
  ['has no name', async () => ({ channels: [] }), /name: /],
  ['has a name with a path', async () => ({ name: '../x' }), /expected a name/],
  ['takes the name of a setting', async () => ({ name: 'timeouts' }), /key of global\.json/],
  [
    'has a getter that throws',
    async () => ({
      get name() {
        throw new Error('gotcha');
      },
    }),
    /gotcha/,
  ],
  ['has no list of channels', async () => ({ name: 'x', channels: {} }), /channels: /],
  ['has a config that is not a schema', async () => ({ name: 'x', config: {} }), /zod schema/],
])('a plugin that %s is reported, and the others are available', async (_, load, problem) => {
  const { problems, channels } = await contributionsOf(
    [{ plugin: 'dure-bad', load }, from('dure-good', { name: 'good', channels: [channel('fine')] })],
    { limit_ms: 50 },
  );
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatchObject({ plugin: 'dure-bad', problem: expect.stringMatching(problem) });
  expect(channels.map(c => c.channel.name)).toEqual(['fine']);
});

test.each<[string, object, RegExp]>([
  ['a channel without notify', { channels: [{ name: 'a' }] }, /channels\[0\]: notify: expected a function/],
  [
    'a channel for unknown events',
    { channels: [{ ...channel('a'), on: ['run.exploded'] }] },
    /channels\[0\]: on\.0: /,
  ],
  ['a role without output', { roles: [role({ step: { outputs: [] } })] }, /roles\[0\]: steps\.0\.outputs: /],
  [
    'a role that writes elsewhere',
    { roles: [role({ step: { outputs: [{ file: 'builder/x.md', about: 'x' }] } })] },
    /only folder/,
  ],
  [
    'a role that leaves its folder',
    { roles: [role({ step: { outputs: [{ file: 'security/../x', about: 'x' }] } })] },
    /expected a path/,
  ],
  [
    'a role that writes flags',
    { roles: [role({ step: { outputs: [{ file: 'security/done.flag', about: 'x' }] } })] },
    /flags/,
  ],
  [
    'a role with an invalid shape',
    { roles: [role({ step: { outputs: [{ file: 'security/a.json', about: 'x', shape: 1 }] } })] },
    /zod/,
  ],
  ['a role with an invalid name', { roles: [role({ name: 'Security!' })] }, /expected a role/],
  ['a role with a reserved phase', { roles: [role({ step: { phase: 'waiting_human' } })] }, /phase/],
  [
    'a role with a step that is already in use',
    { roles: [role({ step: { name: 'execute' } })] },
    /step execute .* is already in use/,
  ],
  [
    'a role with a folder that is already in use',
    { roles: [role({ folder: 'vcr', step: { outputs: [{ file: 'vcr/a', about: 'x' }] } })] },
    /folder vcr/,
  ],
  ['a role after gate', { roles: [role({ step: { after: 'gate' } })] }, /after gate/],
  ['a role after an unknown step', { roles: [role({ step: { after: 'lunch' } })] }, /after lunch/],
  ['a role before an unknown step', { roles: [role({ step: { before: 'lunch' } })] }, /before lunch/],
  [
    'a role with both before and after',
    { roles: [role({ step: { before: 'gate', after: 'build' } })] },
    /both `before` and `after`/,
  ],
  [
    'a role with a reserved name',
    { roles: [role({ name: 'setup', folder: 'security' })] },
    /name setup is reserved for Dure/,
  ],
  [
    'a role with a step named prepare',
    { roles: [role({ step: { name: 'prepare' } })] },
    /step prepare .* is already in use/,
  ],
  ['a role after itself', { roles: [role({ step: { after: 'security' } })] }, /after security/],
  [
    'a verdict in lower case',
    { verdicts: [{ verdict: 'later', when: 'x', outcome: () => ({ next: 'ask' }) }] },
    /expected a word/,
  ],
  [
    'a backend with an unknown stream',
    { backends: [{ name: 'b', stream: 'mp3', start: () => ({ argv: ['x'] }) }] },
    /stream/,
  ],
  ['an unknown key', { chanels: [] }, /chanels, which is unknown/],
])('%s is rejected and named in the report, and the rest of the plugin is kept', async (_, bad, problem) => {
  const plugin = {
    name: 'mixed',
    ...bad,
    channels: [...('channels' in bad ? (bad.channels as []) : []), channel('kept')],
  };
  const { problems, channels, roles, verdicts, backends } = await contributionsOf([
    from('dure-mixed', plugin),
  ]);
  expect(problems).toMatchObject([{ plugin: 'dure-mixed', problem: expect.stringMatching(problem) }]);
  expect(channels.map(c => c.channel.name)).toEqual(['kept']);
  expect([roles, verdicts, backends]).toEqual([[], [], []]);
});

test('on a name conflict, a built-in contribution wins, otherwise the one from the plugin whose name sorts first', async () => {
  const own: Backend = { name: 'claude', stream: 'claude', start: () => ({ argv: ['own'] }) };
  const rival = { name: 'claude', stream: 'text', start: () => ({ argv: ['rival'] }) };
  const verdict = (then: string) => ({ verdict: 'PASS', when: 'x', outcome: () => ({ next: then }) });
  const sources = [
    from('pkg-b', {
      name: 'bbb',
      channels: [channel('same')],
      verdicts: [verdict('fail')],
      backends: [rival],
    }),
    from('pkg-a', {
      name: 'aaa',
      channels: [channel('same')],
      roles: [role({ name: 'builder', folder: 'security' })],
    }),
    from('dure', { name: 'zzz', verdicts: [verdict('ready')] }, true),
    { plugin: 'dure', load: builtInRoles, builtIn: true },
  ];
  const ways = [sources, [...sources].reverse()];
  const results = await Promise.all(ways.map(way => contributionsOf(way, { backends: [own] })));
  for (const { verdicts, channels, roles, backends, problems } of results) {
    expect(await verdicts[0]?.outcome(given, sampleSummary())).toEqual({ next: 'ready' });
    expect(channels.map(c => c.plugin)).toEqual(['pkg-a']);
    expect(roles.find(r => r.name === 'builder')?.steps[0]?.outputs[0]?.file).toBe('builder/log.md');
    expect(backends).toEqual([own]);
    expect(problems.map(p => `${p.plugin}: ${p.problem}`).sort()).toEqual([
      'pkg-a: role builder is already contributed by another plugin',
      'pkg-b: backend claude is already contributed by another plugin',
      'pkg-b: channel same is already contributed by another plugin',
      'pkg-b: verdict PASS is already contributed by another plugin',
    ]);
  }
});

test('the second of two plugins with the same name is rejected, because both would use the same settings', async () => {
  const sources = [
    from('pkg-2', { name: 'twin', channels: [channel('b')] }),
    from('pkg-1', { name: 'twin', channels: [channel('a')] }),
  ];
  const { channels, problems } = await contributionsOf(sources);
  expect(channels.map(c => c.channel.name)).toEqual(['a']);
  expect(problems).toEqual([
    { plugin: 'pkg-2', problem: 'plugin twin is already contributed by another plugin' },
  ]);
});

test('roles are inserted after the phases or steps that they name, whatever the order of the plugins', async () => {
  const make = (name: string, after: string) =>
    from(`dure-${name}`, {
      name,
      roles: [role({ name, step: { after, outputs: [{ file: `${name}/a.md`, about: 'x' }] } })],
    });
  const sources = [
    make('a-last', 'm-middle'),
    make('m-middle', 'z-first'),
    make('z-first', 'verify'),
    from('dure', await builtInRoles(), true),
  ];
  for (const way of [sources, [...sources].reverse()]) {
    const { roles, problems } = await contributionsOf(way);
    expect(problems).toEqual([]);
    const extra = roles.slice(4);
    const steps = builtInPipeline({ roles: extra }).map(step => step.name);
    expect(steps.slice(-4)).toEqual(['z-first', 'm-middle', 'a-last', 'gate']);
  }
});

test('a role is inserted before the step that it names, even the first one', async () => {
  const make = (name: string, before: string) =>
    role({ name, step: { before, outputs: [{ file: `${name}/a.md`, about: 'x' }] } });
  const plugin = {
    name: 'early',
    roles: [make('scout', 'refine'), make('plan', 'build'), make('lint', 'gate')],
  };
  const { roles, problems } = await contributionsOf([
    from('dure', await builtInRoles(), true),
    from('dure-early', plugin),
  ]);
  expect(problems).toEqual([]);
  const steps = builtInPipeline({ config: configWith({ setup: true }), roles: roles.slice(4) });
  expect(steps.map(step => step.name)).toEqual([
    ...['prepare', 'scout', 'refine', 'plan', 'build'],
    ...['generate', 'execute', 'exam', 'analyse', 'lint', 'gate'],
  ]);
});

test('two roles that depend on each other are both rejected', async () => {
  const make = (name: string, after: string) =>
    role({ name, step: { after, outputs: [{ file: `${name}/a.md`, about: 'x' }] } });
  const { roles, problems } = await contributionsOf([
    from('dure-ring', { name: 'ring', roles: [make('egg', 'hen'), make('hen', 'egg')] }),
  ]);
  expect(roles).toEqual([]);
  expect(problems.map(p => p.problem)).toEqual([
    expect.stringContaining('step egg is placed after hen'),
    expect.stringContaining('step hen is placed after egg'),
  ]);
});

test.each<[string, () => unknown]>([
  [
    'throws',
    () => {
      throw new Error('oh');
    },
  ],
  ['returns an unknown outcome', () => ({ next: 'party' })],
  ['returns nothing', () => undefined],
  ['rejects', () => Promise.reject(new Error('later'))],
])('a verdict handler that %s leads to a question and is reported', async (_, outcome) => {
  const heard: PluginFailure[] = [];
  const plugin = { name: 'odd', verdicts: [{ verdict: 'LATER', when: 'x', outcome }] };
  const { verdicts, problems } = await contributionsOf([from('dure-odd', plugin)], {
    report: blame => heard.push(blame),
  });
  expect(await verdicts[0]?.outcome(given, sampleSummary())).toMatchObject({ next: 'ask' });
  expect(problems).toMatchObject([{ plugin: 'dure-odd', problem: expect.stringContaining('verdict LATER') }]);
  expect(heard).toEqual(problems);
});

test.each<[string, () => unknown]>([
  [
    'throws',
    () => {
      throw new Error('oh');
    },
  ],
  ['returns only spaces', () => '  '],
  ['returns a number', () => 42],
  ['rejects', () => Promise.reject(new Error('later'))],
])(
  'a prompt function that %s fails with E_PLUGIN: an agent without instructions must not count as done',
  async (_, prompt) => {
    const { roles, problems } = await contributionsOf([
      from('dure-odd', { name: 'odd', roles: [role({ prompt })] }),
    ]);
    await expect(roles[0]?.prompt(SAMPLE_PROMPT_INPUT)).rejects.toThrow(
      expect.objectContaining({ code: 'E_PLUGIN', message: expect.stringContaining('dure-odd') }),
    );
    expect(problems).toMatchObject([
      { plugin: 'dure-odd', problem: expect.stringContaining('prompt of role security') },
    ]);
  },
);

test.each<[string, () => unknown]>([
  [
    'throws',
    () => {
      throw new Error('oh');
    },
  ],
  ['returns no command', () => ({ argv: [] })],
  ['returns a command that is not a list', () => ({ argv: 'rm -rf' })],
])('the start function of a backend fails with E_PLUGIN if it %s', async (_, begin) => {
  const { backends } = await contributionsOf([
    from('dure-odd', { name: 'odd', backends: [{ name: 'b', stream: 'text', start: begin }] }),
  ]);
  await expect(backends[0]?.start(start)).rejects.toThrow(expect.objectContaining({ code: 'E_PLUGIN' }));
});

test('methods keep their `this`', async () => {
  class Later {
    verdict = 'LATER';
    when = 'it can wait';
    why = 'mine';
    outcome() {
      return { next: 'fail', why: this.why };
    }
  }
  const { verdicts, problems } = await contributionsOf([
    from('dure-class', { name: 'class', verdicts: [new Later()] }),
  ]);
  expect(await verdicts[0]?.outcome(given, sampleSummary())).toEqual({ next: 'fail', why: 'mine' });
  expect(problems).toEqual([]);
});

test('the shape of an output validates the file and yields a JSON schema, and a shape that throws makes the file invalid', async () => {
  const good = z.strictObject({ severity: z.enum(['high', 'low']) });
  const bad = {
    safeParse: () => {
      throw new Error('broken shape');
    },
  };
  const output = [
    { file: 'security/a.json', about: 'a', shape: good },
    { file: 'security/b.json', about: 'b', shape: bad },
  ];
  const { roles, problems } = await contributionsOf([
    from('dure-shapes', { name: 'shapes', roles: [role({ step: { outputs: output } })] }),
  ]);
  const [a, b] = roles[0]!.steps[0]!.outputs;
  expect((await a?.shape?.safeParseAsync({ severity: 'high' }))?.success).toBe(true);
  expect((await a?.shape?.safeParseAsync({ severity: 'odd' }))?.error?.issues[0]?.path).toEqual(['severity']);
  expect(jsonSchema({ name: 'a', about: 'a', shape: a!.shape! })).toMatchObject({
    properties: { severity: { enum: ['high', 'low'] } },
  });
  expect((await b?.shape?.safeParseAsync({}))?.error?.issues[0]?.message).toContain('broken shape');
  expect(problems).toMatchObject([{ plugin: 'dure-shapes' }]);
});

test('plugin settings are validated and get their defaults; an invalid section is reported by its key and left out', async () => {
  const shapes = {
    filled: z.strictObject({ retries: z.number().default(3) }),
    wrong: z.strictObject({ url: z.string() }),
    silent: z.strictObject({ url: z.string() }),
    broken: {
      safeParse: () => {
        throw new Error('broken shape');
      },
    } as unknown as z.ZodType,
  };
  const { config, problems } = await withSectionDefaults(
    { ...sampleConfig(), plugins: { wrong: { url: 5 } } },
    shapes,
  );
  expect(config.plugins).toEqual({ filled: { retries: 3 } });
  expect(problems).toEqual([
    { plugin: 'wrong', problem: expect.stringMatching(/^global\.json: wrong: url: /) },
    { plugin: 'broken', problem: expect.stringContaining('broken shape') },
  ]);
});
