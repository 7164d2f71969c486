import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, stat, symlink, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { namesIn } from '../../../src/formats/file-system/path-status.ts';
import { withoutNetwork } from '../../../src/workspace/dependencies/fall-back-to-go-and-cargo-caches.ts';
import { moduleEnvironment } from '../../../src/workspace/dependencies/install-environment.ts';
import type { InstallSession } from '../../../src/workspace/dependencies/sandboxed-install-session.ts';
import { programOf } from '../../helpers/bundle-program.ts';
import { writeFiles } from '../../helpers/git-repositories.ts';

test("an archive from the user's Cargo cache replaces one that an interrupted copy left incomplete", async () => {
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

/** Large enough that the copy can be interrupted. */
const SIZE = 100_000_000;
const COPY = `
import { withoutNetwork } from './src/workspace/dependencies/fall-back-to-go-and-cargo-caches.ts';
const [, , user, stateFolder] = process.argv;
const installation = { env: { CARGO_HOME: user }, stateFolder };
await withoutNetwork({ installation, log() {}, fetch: async () => null }, { family: 'rust' }, '/', 'offline');
`;

test("an interrupted copy of the user's Cargo cache leaves no incomplete index", async () => {
  const top = await mkdtemp(join(tmpdir(), 'dure-crates-'));
  onTestFinished(() => rm(top, { recursive: true, force: true }));
  const [user, stateFolder] = [join(top, 'cargo'), join(top, 'state')];
  await writeFiles(join(user, 'registry'), { 'index/r/pack': '', 'cache/r/a.crate': 'a' });
  await truncate(join(user, 'registry', 'index', 'r', 'pack'), SIZE);
  const program = await programOf(top, COPY);
  const copy = () => spawn(process.execPath, [program, user, stateFolder]);
  const own = join(moduleEnvironment(stateFolder)['CARGO_HOME']!, 'registry', 'index', 'r');
  const killed = copy();
  const copied = once(killed, 'exit');
  while (killed.exitCode === null && (await namesIn(own)).length === 0) await pause(1);
  killed.kill('SIGKILL');
  await copied;
  await once(copy(), 'exit');
  expect((await stat(join(own, 'pack'))).size).toBe(SIZE);
});

test("linked files and folders of the user's Cargo cache are copied, and a failed copy leaves no temporary file", async () => {
  const top = await mkdtemp(join(tmpdir(), 'dure-crates-'));
  onTestFinished(() => rm(top, { recursive: true }));
  const [user, stateFolder] = [join(top, 'cargo'), join(top, 'state')];
  const own = join(moduleEnvironment(stateFolder)['CARGO_HOME']!, 'registry');
  await writeFiles(top, { 'disk/r/a.crate': 'a', 'b.crate': 'b' });
  await writeFiles(join(user, 'registry'), { 'index/r/a': '', 'cache/c/c.crate': 'c' });
  await symlink(join(top, 'disk', 'r'), join(user, 'registry', 'cache', 'r'));
  await symlink(join(top, 'b.crate'), join(user, 'registry', 'cache', 'c', 'b.crate'));
  // A file cannot replace a folder.
  await mkdir(join(own, 'cache', 'c', 'c.crate'), { recursive: true });
  const session = {
    installation: { env: { CARGO_HOME: user }, stateFolder },
    log() {},
    fetch: async () => null,
  };
  const copy = () =>
    withoutNetwork(
      session as unknown as InstallSession,
      { family: 'rust' } as Parameters<typeof withoutNetwork>[1],
      top,
      'offline',
    );
  await expect(copy()).rejects.toThrow('EISDIR');
  expect((await namesIn(join(own, 'cache', 'c'))).filter(name => name.startsWith('c.crate.'))).toEqual([]);
  await rm(join(own, 'cache', 'c', 'c.crate'), { recursive: true });
  expect(await copy()).toBeNull();
  const read = (name: string) => readFile(join(own, 'cache', name), 'utf8');
  expect(await Promise.all(['r/a.crate', 'c/b.crate', 'c/c.crate'].map(read))).toEqual(['a', 'b', 'c']);
});
