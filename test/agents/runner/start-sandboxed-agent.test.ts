import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startSandboxedAgent } from '../../../src/agents/runner/start-sandboxed-agent.ts';
import type { LaunchSandbox } from '../../../src/formats/agent-sandbox.ts';
import type { LaunchSpec } from '../../../src/formats/launch.ts';

test('an agent that cannot be started leaves neither temporary folders nor its proxy behind', async () => {
  const top = await mkdtemp(join(tmpdir(), 'dure-start-'));
  const folder = join(top, 'role');
  vi.stubEnv('TMPDIR', top);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    return rm(top, { recursive: true });
  });
  const openPipes = () => process.getActiveResourcesInfo().filter(kind => kind === 'PipeWrap').length;
  const before = openPipes();
  // No command line can contain a null byte.
  const spec = { argv: ['\0'], cwd: top } as unknown as LaunchSpec;
  const sandbox: LaunchSandbox = {
    mode: 'strict',
    program: '/usr/bin/bwrap',
    namespaces: [],
    folder,
    ...{ readable: [], writable: [], hidden: [], empty: ['/empty'], replaced: { '/replaced': 'text' } },
    ...{ login: [], files: {}, hosts: [] },
  };
  const started = startSandboxedAgent(spec, sandbox, {}, () => {});
  await expect(started).rejects.toThrow(/null bytes/);
  expect(await readdir(top)).toEqual(['role']);
  expect(openPipes()).toBe(before);
});
