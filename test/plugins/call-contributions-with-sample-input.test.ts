/** Every contribution, built-in or not, returns what a run asks for. */
import { expect, it } from 'vitest';
import notifyFile from '../../examples/notify-file/index.js';
import documenter from '../../examples/role-documenter/index.js';
import security from '../../examples/role-security/index.js';
import type { AgentRole } from '../../src/index.ts';
import { type Called, callAll } from '../../src/plugins/call-contributions-with-sample-input.ts';
import { contributionsOf } from '../../src/plugins/load-contributions.ts';
import type { PluginFailure } from '../../src/process/call-plugin-code.ts';
import { BUILT_IN_BACKENDS, BUILT_IN_PLUGINS } from '../helpers/built-in-plugins.ts';
import { ownRoles } from '../helpers/own-roles-plugin.ts';

const NOTHING: Called = { channels: [], roles: [], pipelines: [], verdicts: [], backends: [] };

async function problemsOf(load: () => Promise<unknown>, called: Partial<Called>): Promise<string[]> {
  const found: PluginFailure[] = [];
  const report = (failure: PluginFailure) => found.push(failure);
  const sources = [...BUILT_IN_PLUGINS, { plugin: 'dure-tested', load }];
  const all = await contributionsOf(sources, { backends: BUILT_IN_BACKENDS, report });
  await callAll(all, { ...NOTHING, ...called }, 'dure-tested', report);
  return found.map(({ problem }) => problem);
}

const empty = async () => ({ name: 'empty' });

it.each([
  ['refiner', empty],
  ['builder', empty],
  ['verifier', empty],
  ['gatekeeper', empty],
  ['security', security],
  ['documenter', documenter],
])('the role %s conforms to the plugin interface', async (name, load) => {
  expect(await problemsOf(load, { roles: [name] })).toEqual([]);
});

it('the built-in verdicts and backends, a channel, and a plugin with its own pipelines conform to the plugin interface', async () => {
  const own = { roles: ['author', 'prover', 'referee'], pipelines: ['workshop', 'untested', 'unjudged'] };
  expect(await problemsOf(async () => ownRoles, own)).toEqual([]);
  const verdictNames = ['PASS', 'MINOR_FAIL', 'FAIL', 'NEEDS_HUMAN'];
  expect(await problemsOf(empty, { verdicts: verdictNames })).toEqual([]);
  expect(await problemsOf(empty, { backends: ['claude', 'rehearsal'] })).toEqual([]);
  expect(await problemsOf(notifyFile, { channels: ['file'] })).toEqual([]);
});

const role = (given: Partial<AgentRole>) => async () => ({
  name: 'tested',
  roles: [
    {
      name: 'tester',
      steps: [{ name: 'try', after: 'build', outputs: [{ file: 'tester/a.md', about: 'a' }] }],
      prompt: () => 'Try it.',
      ...given,
    },
  ],
});

it.each<[string, Partial<AgentRole>, RegExp]>([
  ['with an empty prompt', { prompt: () => '' }, /prompt of role tester/],
  [
    'whose prompt fails only in a later iteration',
    {
      prompt: ({ run }) => {
        if (run.iteration > 1) throw new Error('no luck');
        return 'Try it.';
      },
    },
    /prompt of role tester: no luck/,
  ],
  [
    'that joins no pipeline',
    { steps: [{ name: 'try', outputs: [{ file: 'tester/a.md', about: 'a' }] }] },
    /has no step in any pipeline/,
  ],
  [
    "that uses one of Dure's own folders",
    {
      folder: 'requests',
      steps: [{ name: 'try', after: 'build', outputs: [{ file: 'requests/a.md', about: 'a' }] }],
    },
    /folder requests of role tester is already in use/,
  ],
])('a role %s is reported', async (_, given, problem) => {
  expect((await problemsOf(role(given), { roles: ['tester'] })).join('\n')).toMatch(problem);
});

it.each<[string, object, Partial<Called>, RegExp]>([
  [
    'an unknown outcome',
    { verdicts: [{ verdict: 'LATER', when: 'later', outcome: () => ({ next: 'wait' }) }] },
    { verdicts: ['LATER'] },
    /verdict LATER/,
  ],
  [
    'a backend without a program',
    { backends: [{ name: 'mine', stream: 'text', start: () => ({ argv: [] }) }] },
    { backends: ['mine'] },
    /start of backend mine/,
  ],
  [
    'a pipeline that yields no tree',
    { pipelines: [{ name: 'bare', about: 'nothing', steps: ['refine', 'gate'] }] },
    { pipelines: ['bare'] },
    /no step yields a tree/,
  ],
  [
    'a channel with an invalid enabled function',
    { channels: [{ name: 'radio', notify() {}, enabled: () => 'perhaps' }] },
    { channels: ['radio'] },
    /enabled of channel radio/,
  ],
])('%s is reported', async (_, given, called, problem) => {
  const load = async () => ({ name: 'tested', ...given });
  expect((await problemsOf(load, called)).join('\n')).toMatch(problem);
});
