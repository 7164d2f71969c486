import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { rehearsal } from '../../src/agents/backends/rehearsal.ts';
import { replaceJson } from '../../src/formats/read-and-write-files.ts';
import type { Start } from '../../src/index.ts';
import { asks, builds, cassette } from './agent-moves.ts';
import { scratchProject } from './scratch-project.ts';

test('the next driver uses the backends and consent the run started with, not a configuration that an agent changed', async () => {
  const launches: Pick<Start, 'role' | 'bypass'>[] = [];
  const backend = {
    ...rehearsal,
    name: 'acme',
    start(launch: Start) {
      launches.push({ role: launch.role, bypass: launch.bypass });
      return rehearsal.start(launch);
    },
  };
  const plugin = { plugin: 'dure-acme', load: async () => ({ name: 'acme', backends: [backend] }) };
  const { start, project } = await scratchProject({
    plugins: [plugin],
    config: { global: { backend: 'acme' } },
  });
  const { IS_SANDBOX: _, ...shell } = process.env;
  const run = await start(cassette({ builder: [[asks('crp-001', 'builder')], builds('hello\n')] }), {
    shell,
  });
  expect(await run.drive()).toMatchObject({ phase: 'waiting_human', pending_crp: 'crp-001' });
  await replaceJson(project.configOf('global'), { backend: 'rehearsal', allow_bypass: true });
  await replaceJson(project.configOf('verifier'), { backend: 'rehearsal' });
  await run.answer('A');
  expect((await run.drive()).phase).toBe('ready_for_merge');
  const roles = ['refiner', 'builder', 'builder', 'verifier', 'verifier', 'gatekeeper'];
  expect(launches).toEqual(roles.map(role => ({ role, bypass: false })));
  expect(await readFile(run.files.summary, 'utf8')).toContain('verifier (acme)');
});
