import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { moduleEnvironment } from '../../../src/workspace/dependencies/install-environment.ts';
import type { InstallSession } from '../../../src/workspace/dependencies/sandboxed-install-session.ts';
import { withoutNetwork } from '../../../src/workspace/dependencies/use-cached-packages-offline.ts';
import { writeFiles } from '../../helpers/git-repositories.ts';

test("an archive of the user's Cargo cache replaces one that an interrupted copy left incomplete", async () => {
  const top = await mkdtemp(join(tmpdir(), 'dure-crates-'));
  onTestFinished(() => rm(top, { recursive: true, force: true }));
  const user = join(top, 'cargo');
  const stateFolder = join(top, 'state');
  const own = moduleEnvironment(stateFolder)['CARGO_HOME']!;
  await writeFiles(join(user, 'registry'), {
    'index/a': 'older',
    'cache/r/a.crate': 'aaaa',
    'cache/r/b.crate': 'b',
  });
  await writeFiles(join(own, 'registry'), { 'index/a': 'newer', 'cache/r/a.crate': 'aa' });
  const session = {
    installation: { env: { CARGO_HOME: user }, stateFolder },
    log() {},
    fetch: async () => null,
  } as unknown as InstallSession;
  const command = { family: 'rust' } as Parameters<typeof withoutNetwork>[1];
  expect(await withoutNetwork(session, command, top, 'offline')).toBeNull();
  const read = (path: string) => readFile(join(own, 'registry', path), 'utf8');
  const found = await Promise.all(['cache/r/a.crate', 'cache/r/b.crate', 'index/a'].map(read));
  expect(found).toEqual(['aaaa', 'b', 'newer']);
});
