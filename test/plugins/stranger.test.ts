/** A plugin in a process of its own is, to the host, the object that its author wrote. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { jsonSchema } from '../../src/formats/define.ts';
import type { Plugin, Start } from '../../src/index.ts';
import { packageRoot } from '../../src/package-root.ts';
import { gatherFrom } from '../../src/plugins/host.ts';
import { given } from '../../src/plugins/strangers/stranger.ts';
import { NOW, sampleConfig, sampleState } from './samples.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'dure-stranger-'));
});
afterAll(() => rm(dir, { recursive: true, force: true, maxRetries: 20 }));

const at = (root: string, target: string) =>
  given([{ root, target, identifier: 'default' }], AbortSignal.timeout(30_000));

async function written(name: string, source: string): Promise<Plugin> {
  await writeFile(join(dir, name), source);
  const [plugin] = await at(dir, `./${name}`);
  return plugin as Plugin;
}
const run = { run: sampleState(), config: sampleConfig(), mode: 'security' };

test('a role gives its prompt, and its shape checks with the keys of what is wrong', async () => {
  const load = async () => (await at(join(packageRoot, 'examples', 'role-security'), './index.js'))[0];
  const { roles, problems } = await gatherFrom([{ plugin: 'dure-role-security', load }]);
  expect(problems).toEqual([]);
  const [role] = roles;
  expect(role!.prompt(run)).toContain('its security and for nothing else');
  const { shape } = role!.output[1]!;
  const finding = { severity: 'high', file: 'a.ts', problem: 'open', remedy: 'close' };
  expect(shape!.safeParse([finding]).success).toBe(true);
  expect(shape!.safeParse([{ ...finding, severity: 'awful' }]).error?.issues[0]?.path).toEqual([
    '0',
    'severity',
  ]);
  expect(jsonSchema({ name: 'a', about: 'a', shape: shape! })).toMatchObject({ type: 'array' });
});

test('a channel hears what it is told, with its context', async () => {
  const [plugin] = (await at(join(packageRoot, 'examples', 'notify-file'), './index.js')) as [Plugin];
  const event = { at: NOW, type: 'run.failed', reason: 'x' } as const;
  const notice = { event, run: sampleState(), severity: 'error', text: 'It failed', command: null } as const;
  const context = { project: dir, config: undefined, signal: new AbortController().signal };
  await plugin.channels![0]!.notify(notice, context);
  expect(await readFile(join(dir, '.dure', 'server', 'notices.log'), 'utf8')).toContain('It failed');
});

test('methods of a class keep their object, in CommonJS as well', async () => {
  const plugin = await written(
    'class.cjs',
    `class Later { verdict = 'LATER'; why = 'mine'; outcome() { return { next: 'fail', why: this.why } } }
     module.exports = async () => ({ name: 'class', verdicts: [new Later()] })`,
  );
  expect(plugin.verdicts![0]!.outcome({ verdict: 'LATER', reason: 'x' }, sampleState())).toEqual({
    next: 'fail',
    why: 'mine',
  });
});

test('its console is not the console of the host, and leaves the answer as it is', async () => {
  const plugin = await written(
    'loud.mjs',
    `console.log('{"gave": 1}'); process.stdout.write('noise');
     export default async () => ({ name: 'loud', backends: [{ name: 'loud', stream: 'text', start: () => ({ argv: ['true'] }) }] })`,
  );
  expect(plugin.backends![0]!.start({ role: 'builder' } as Start)).toEqual({ argv: ['true'] });
});

test.each([
  ['throws', `() => { throw new Error('oh') }`, /^oh$/],
  ['exits', '() => process.exit(4)', /ended its process \(exit status 4\)/],
  ['aborts', '() => process.abort()', /ended its process/],
])('a prompt that %s is told as what it is', async (name, prompt, said) => {
  const plugin = await written(
    `${name}.mjs`,
    `export default async () => ({ name: 'odd', roles: [{ name: 'odd', phase: 'odd', output: [], prompt: ${prompt} }] })`,
  );
  expect(() => plugin.roles![0]!.prompt(run)).toThrow(said);
});

test('a prompt that spins is waited for once', { timeout: 60_000 }, async () => {
  const plugin = await written(
    'spins.mjs',
    `export default async () => ({ name: 'odd', roles: [{ name: 'odd', phase: 'odd', output: [], prompt() { for (;;); } }] })`,
  );
  const [role] = plugin.roles!;
  expect(() => role!.prompt(run)).toThrow(/longer than/);
  const before = performance.now();
  expect(() => role!.prompt(run)).toThrow(/longer than/);
  expect(performance.now() - before).toBeLessThan(5000);
});

test('what goes in circles is refused', async () => {
  await expect(
    written('circle.mjs', `const it = { name: 'circle' }; it.it = it; export default async () => it`),
  ).rejects.toThrow(/too deep/);
});
