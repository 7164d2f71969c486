/** An installed plugin runs in its own process, and looks to Dure like the object that its author wrote. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { jsonSchema } from '../../src/formats/schema/define-file.ts';
import type { Plugin, Start } from '../../src/index.ts';
import { contributionsOf } from '../../src/plugins/load-contributions.ts';
import { remotePlugins } from '../../src/plugins/remote-plugin.ts';
import { packageRoot } from '../../src/process/package-paths-and-version.ts';
import { BUILT_IN_PLUGINS } from '../helpers/built-in-plugins.ts';
import { NOW, SAMPLE_PROMPT_INPUT, sampleSummary } from '../helpers/sample-values.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'dure-plugin-process-'));
});
afterAll(() => rm(dir, { recursive: true, force: true, maxRetries: 20 }));

const load = (root: string, target: string, onFault: (problem: string) => void = () => {}) =>
  remotePlugins([{ root, target, identifier: 'default' }], AbortSignal.timeout(30_000), onFault);

async function plugin(name: string, source: string, onFault?: (problem: string) => void): Promise<Plugin> {
  await writeFile(join(dir, name), source);
  const [loaded] = await load(dir, `./${name}`, onFault);
  return loaded as Plugin;
}
const input = SAMPLE_PROMPT_INPUT;
const role = (prompt: string, more = '') =>
  `${more}; export default async () => ({ name: 'odd', roles: [{ name: 'odd', steps: [], prompt: ${prompt} }] })`;
const start = { role: 'builder', model: 'm', part: 1 } as Start;

test('a role returns its prompt, and its schema reports errors with their keys', async () => {
  const source = async () => (await load(join(packageRoot, 'examples', 'role-security'), './index.js'))[0];
  const { roles, problems } = await contributionsOf([
    ...BUILT_IN_PLUGINS,
    { plugin: 'dure-role-security', load: source },
  ]);
  expect(problems).toEqual([]);
  const security = roles.find(one => one.name === 'security');
  expect(await security!.prompt(input)).toContain('only the security of the change');
  const { shape } = security!.steps[0]!.outputs[1]!;
  const finding = { severity: 'high', file: 'a.ts', problem: 'open', remedy: 'close' };
  expect((await shape!.safeParseAsync([finding])).success).toBe(true);
  const { error } = await shape!.safeParseAsync([{ ...finding, severity: 'awful' }]);
  expect(error?.issues[0]?.path).toEqual(['0', 'severity']);
  expect(jsonSchema({ name: 'a', about: 'a', shape: shape! })).toMatchObject({ type: 'array' });
});

test('a channel gets its notification and its context', async () => {
  const [loaded] = (await load(join(packageRoot, 'examples', 'notify-file'), './index.js')) as [Plugin];
  const event = { at: NOW, type: 'run.failed', reason: 'x' } as const;
  const notification = {
    event,
    run: sampleSummary(),
    severity: 'error',
    text: 'It failed',
    command: null,
  } as const;
  const context = { project: dir, config: undefined, signal: new AbortController().signal };
  await loaded.channels![0]!.notify(notification, context);
  expect(await readFile(join(dir, '.dure', 'server', 'notifications.log'), 'utf8')).toContain('It failed');
});

test('methods of a class keep their `this`, even in CommonJS', async () => {
  const later = await plugin(
    'class.cjs',
    `class Later { verdict = 'LATER'; when = 'x'; why = 'mine'; outcome() { return { next: 'fail', why: this.why } } }
     module.exports = async () => ({ name: 'class', verdicts: [new Later()] })`,
  );
  const outcome = await later.verdicts![0]!.outcome({ verdict: 'LATER', reason: 'x' }, sampleSummary());
  expect(outcome).toEqual({ next: 'fail', why: 'mine' });
});

test('all calls go to one process, so a plugin keeps its variables', async () => {
  const counting = await plugin(
    'counts.mjs',
    role("() => [process.pid, ++calls].join(' ')", 'let calls = 0'),
  );
  const { prompt } = counting.roles![0]!;
  const [pid, first] = (await prompt(input)).split(' ');
  expect({ first, next: await prompt(input) }).toEqual({ first: '1', next: `${pid} 2` });
  expect(Number(pid)).not.toBe(process.pid);
});

test('a slow call blocks neither other calls nor other plugins', async () => {
  const slow = await plugin(
    'slow.mjs',
    role(
      `({ mode }) => mode === 'wait' ? waiting : (release(), 'quick')`,
      'let release; const waiting = new Promise(resolve => { release = () => resolve("at last") })',
    ),
  );
  const { prompt } = slow.roles![0]!;
  const first = prompt({ ...input, mode: 'wait' });
  // The first call ends only after the second.
  expect(await prompt(input)).toBe('quick');
  expect(await first).toBe('at last');
});

test("a plugin's output is not printed by Dure, and does not affect the results of its calls", async () => {
  const loud = await plugin(
    'loud.mjs',
    `console.log('{"id": 1, "result": 2}'); process.stdout.write('noise');
     export default async () => ({ name: 'loud', backends: [{ name: 'loud', stream: 'text', start: () => ({ argv: ['true'] }) }] })`,
  );
  expect(await loud.backends![0]!.start(start)).toEqual({ argv: ['true'] });
});

test.each([
  ['throws', `() => { throw new Error('oh') }`, /^oh$/],
  ['rejects', `() => Promise.reject(new Error('later'))`, /^later$/],
  ['exits', '() => process.exit(4)', /its process exited \(exit status 4\)/],
  ['aborts', '() => process.abort()', /its process exited/],
  ['disconnects', '() => { process.disconnect(); return new Promise(() => {}) }', /its process exited/],
  ['throws-later', `() => new Promise(() => setTimeout(() => { throw new Error('apart') }))`, /^apart$/],
  [
    'ignores-a-rejection',
    `() => { Promise.reject(new Error('left alone')); return new Promise(() => {}) }`,
    /unhandled promise rejection.*left alone/,
  ],
])(
  'a prompt function (%s) fails with the reason, and the next call is answered',
  async (name, prompt, reason) => {
    const odd = await plugin(`${name}.mjs`, role(`input => input.mode === 'fine' ? 'fine' : (${prompt})()`));
    const { prompt: ask } = odd.roles![0]!;
    await expect(ask(input)).rejects.toThrow(reason);
    expect(await ask({ ...input, mode: 'fine' })).toBe('fine');
  },
);

test('a process that crashes repeatedly is not restarted forever', async () => {
  const odd = await plugin('crashes.mjs', role('() => process.exit(4)'));
  const { prompt } = odd.roles![0]!;
  for (let crash = 1; crash <= 3; crash += 1)
    await expect(prompt(input)).rejects.toThrow(/^its process exited/);
  await expect(prompt(input)).rejects.toThrow(
    /exited 3 times in ten minutes and will not be restarted for now/,
  );
});

test('a crash after a call has returned is reported', async () => {
  const faults: string[] = [];
  const odd = await plugin(
    'crashes-later.mjs',
    role(`() => { setTimeout(() => { throw new Error('much later') }, 50); return 'fine' }`),
    problem => faults.push(problem),
  );
  expect(await odd.roles![0]!.prompt(input)).toBe('fine');
  await expect.poll(() => faults).toEqual(['much later']);
});

test('a call with an infinite loop times out, and its process is killed', async () => {
  const odd = await plugin(
    'spins.mjs',
    role(`({ mode }) => { if (mode === 'fine') return 'fine'; for (;;); }`),
  );
  const { prompt } = odd.roles![0]!;
  await expect(prompt(input)).rejects.toThrow(/longer than/);
  await expect(prompt({ ...input, mode: 'fine' })).rejects.toThrow(/stopped responding/);
  expect(await prompt({ ...input, mode: 'fine' })).toBe('fine');
});

test("aborting a context's signal aborts it in the plugin's process too", async () => {
  const odd = await plugin(
    'patient.mjs',
    `import { writeFileSync } from 'node:fs';
     export default async () => ({ name: 'patient', channels: [{ name: 'patient',
       notify: (_, { project, signal }) => new Promise(() => {
         signal.addEventListener('abort', () => writeFileSync(project + '/aborted', ''));
         writeFileSync(project + '/begun', '');
       }) }] })`,
  );
  const abort = new AbortController();
  const event = { at: NOW, type: 'run.failed', reason: 'x' } as const;
  const notification = {
    event,
    run: sampleSummary(),
    severity: 'error',
    text: 'It failed',
    command: null,
  } as const;
  const told = odd.channels![0]!.notify(notification, { project: dir, config: null, signal: abort.signal });
  await expect.poll(() => readFile(join(dir, 'begun'), 'utf8').catch(() => null)).toBe('');
  abort.abort(new Error('too late'));
  await expect(told).rejects.toThrow('too late');
  await expect.poll(() => readFile(join(dir, 'aborted'), 'utf8').catch(() => null)).toBe('');
});

test.each([
  [
    'module.mjs',
    `import { definePlugin } from 'dure'; export default async () => definePlugin({ name: 'given' })`,
  ],
  [
    'common.cjs',
    `const { definePlugin } = require('dure'); module.exports = async () => definePlugin({ name: 'given' })`,
  ],
])('%s imports definePlugin from the Dure that loads it', async (name, source) => {
  expect(await plugin(name, source)).toEqual({ name: 'given' });
});

test('a cyclic object is rejected', async () => {
  const source = `const it = { name: 'circle' }; it.it = it; export default async () => it`;
  await expect(plugin('circle.mjs', source)).rejects.toThrow(/too deep/);
});
