import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { Identity } from '../../src/formats/launch.ts';
import { identityOf, isAlive } from '../../src/process/identity.ts';
import { git } from '../../src/workspace/git/run-git.ts';
import { openPullRequest } from '../../src/workspace/merge/push-and-open-pull-request.ts';
import { folder, open, person, repositoryWith, withPath, write } from './temporary-projects.ts';

const PATIENCE = 60_000;
/** Long enough for a program to start on a busy machine, but not to finish. */
const LIMIT_MS = 6000;

/** A program that never exits and starts another one that never exits. */
async function stuck() {
  const dir = await folder();
  const program = join(dir, 'stuck');
  await writeFile(
    program,
    `#!/bin/sh\nsleep 600 &\necho $$ $! > '${join(dir, 'pids').replaceAll("'", "'\\''")}'\nwait\n`,
  );
  await chmod(program, 0o755);
  const born = async (): Promise<Identity[]> => {
    const text = await readFile(join(dir, 'pids'), 'utf8').catch(() => '');
    return text
      .trim()
      .split(' ')
      .filter(Boolean)
      .flatMap(pid => identityOf(Number(pid)) ?? []);
  };
  return { dir, program, born };
}

const two = (all: Identity[]): Identity[] | null => (all.length === 2 ? all : null);

/** Waits until the observed processes have exited. */
async function endsWith(work: Promise<unknown>, born: () => Promise<Identity[]>): Promise<unknown> {
  const failure = work.then(
    () => null,
    (error: unknown) => error,
  );
  const seen = await vi.waitUntil(async () => two(await born()), { timeout: PATIENCE });
  const error = await failure;
  await expect.poll(() => seen.filter(one => isAlive(one)), { timeout: PATIENCE }).toEqual([]);
  return error;
}

test('a hanging filter is killed together with git, and reported', async () => {
  const root = await repositoryWith({ '.gitattributes': '*.dat filter=slow\n' });
  const { program, born } = await stuck();
  person(root, 'config', 'filter.slow.clean', `'${program.replaceAll("'", "'\\''")}'`);
  await write(root, { 'a.dat': 'a\n' });
  const adding = git(await open(root), ['add', 'a.dat'], { limitMs: LIMIT_MS });
  expect(await endsWith(adding, born)).toMatchObject({
    code: 'E_GIT',
    message: expect.stringMatching(
      /^git add failed: .*was still running after 6 seconds and was killed.*filter/s,
    ),
  });
});

test('a process that git leaves behind, and that keeps the output open, does not delay the call', async () => {
  const root = await repositoryWith({ 'a.txt': 'a\n' });
  person(root, 'config', 'alias.left', '!sleep 30 & echo done');
  expect(await git(await open(root), ['left'], { limitMs: LIMIT_MS })).toBe('done');
});

const proposed = async () => {
  const root = await repositoryWith({ 'a.txt': 'a\n' });
  const remote = join(await folder(), 'remote.git');
  await mkdir(remote);
  person(remote, 'init', '-q', '--bare');
  person(root, 'remote', 'add', 'origin', remote);
  const bin = await folder();
  return {
    root,
    bin,
    proposal: { runId: 'run', commit: person(root, 'rev-parse', 'HEAD'), branch: 'dure/run', summary: null },
  };
};

test('a hanging push is killed and reported', async () => {
  const { root, bin, proposal } = await proposed();
  const { program, born } = await stuck();
  person(root, 'config', 'remote.origin.receivepack', `'${program.replaceAll("'", "'\\''")}'`);
  await writeFile(join(bin, 'gh'), '#!/bin/sh\n', { mode: 0o755 });
  const repo = await open(root);
  const opening = withPath(bin, () => openPullRequest(repo, proposal, 'main', LIMIT_MS));
  expect(await endsWith(opening, born)).toMatchObject({
    code: 'E_GIT',
    message: expect.stringMatching(/^git push failed: .*was still running/s),
  });
});

test('a hanging gh process is killed and reported', async () => {
  const { root, bin, proposal } = await proposed();
  const { program, born } = await stuck();
  const quoted = `'${program.replaceAll("'", "'\\''")}'`;
  await writeFile(join(bin, 'gh'), `#!/bin/sh\n[ "$1" = --version ] || exec ${quoted}\n`, { mode: 0o755 });
  const repo = await open(root);
  const opening = withPath(bin, () => openPullRequest(repo, proposal, 'main', LIMIT_MS));
  expect(await endsWith(opening, born)).toMatchObject({
    code: 'E_MERGE',
    message: expect.stringMatching(/gh says: .*was still running after 6 seconds/),
  });
});
