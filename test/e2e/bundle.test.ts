/** The commit of a pack: what it contains, what `dure bundle` writes, and what `dure clean` removes. */
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { discardRun } from '../../src/core/clean/remove-run.ts';
import { makePackCommit, packCommitOf } from '../../src/core/run/pack/pack-commit.ts';
import { openRepository } from '../../src/workspace/git/open-repository.ts';
import { git } from '../helpers/git-repositories.ts';
import { bin } from '../helpers/test-project.ts';
import { cassette } from './agent-moves.ts';
import { scratchProject } from './scratch-project.ts';

const ref = (runId: string) => `refs/dure/packs/${runId}`;
const dure = (cwd: string, ...args: string[]): string =>
  execFileSync(process.execPath, [bin, ...args], { cwd, encoding: 'utf8' });

test('a pack is a commit on top of the sealed result, and recreating it yields the same commit or is refused', async () => {
  const { root, project, start } = await scratchProject();
  const run = await start(cassette());
  const { mrp, base, tests } = await run.drive();
  const pack = git(root, 'rev-parse', ref(run.runId));
  expect(mrp?.pack).toBe(pack);
  expect(git(root, 'rev-parse', `${pack}^`)).toBe(mrp?.commit);
  expect(git(root, 'merge-base', pack, base)).toBe(base);
  expect(git(root, 'rev-parse', `${pack}:verifier`)).toBe(tests?.tests_tree);
  expect(git(root, 'ls-tree', '--name-only', pack).split('\n')).toEqual([
    'briefing',
    'changes.patch',
    'check.sh',
    'criteria.json',
    'evidence.json',
    'proof.json',
    'prove.mjs',
    'summary.md',
    'verifier',
  ]);
  for (const name of ['evidence.json', 'changes.patch'])
    expect(`${git(root, 'show', `${pack}:${name}`)}\n`).toBe(
      await readFile(join(run.files.mrp, name), 'utf8'),
    );
  expect(git(root, 'show', `${pack}:briefing/refined.md`)).toBe('# Refined\n\nWrite greeting.txt.');

  git(root, 'update-ref', '-d', ref(run.runId));
  git(root, '-c', 'gc.pruneExpire=now', 'prune', '--expire=now');
  const repo = await openRepository(root, project.shadow);
  const state = await run.state();
  expect(await packCommitOf(repo, run.files, state)).toBe(pack);

  await writeFile(run.files.summary, 'forged after it was hashed\n');
  await writeFile(join(run.files.mrp, 'more.txt'), '');
  await expect(makePackCommit(repo, run.files, state, state.mrp!.files)).rejects.toMatchObject({
    code: 'E_PACK_CHANGED',
    context: { files: 'more.txt, summary.md' },
  });
  expect(git(root, 'rev-parse', ref(run.runId))).toBe(pack);

  await discardRun(project, repo, run.runId);
  expect(git(root, 'for-each-ref', 'refs/dure/')).toBe('');
});

test("a bundle contains what another clone lacks, and is signed with the user's SSH key", async () => {
  const { root, start } = await scratchProject();
  const clone = join(root, '..', 'clone');
  git(root, 'clone', '--quiet', '--no-local', root, clone);
  const run = await start(cassette(), { includeChanges: true });
  await run.drive();
  const file = join(root, '..', 'pack.bundle');
  expect(JSON.parse(dure(root, 'bundle', '--json', '-o', file))).toMatchObject({ signed: false });
  git(clone, 'fetch', '--quiet', file, ref(run.runId));
  expect(git(clone, 'rev-parse', 'FETCH_HEAD')).toBe(git(root, 'rev-parse', ref(run.runId)));

  await mkdir(join(root, '..', 'keys'));
  const key = join(root, '..', 'keys', 'id');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
  git(root, 'config', 'gpg.format', 'ssh');
  git(root, 'config', 'user.signingKey', `${key}.pub`);
  const trusted = join(root, '..', 'keys', 'trusted');
  await writeFile(trusted, `ann@example.org ${await readFile(`${key}.pub`, 'utf8')}`);
  const remote = join(root, '..', 'remote.git');
  git(root, 'init', '--quiet', '--bare', remote);
  git(root, 'remote', 'add', 'team', remote);
  const signed = JSON.parse(dure(root, 'bundle', '--json', '-o', file, '--push', 'team'));
  expect(signed).toMatchObject({ signed: true, pushed: 'team', needs: [git(root, 'rev-parse', 'HEAD')] });
  expect(git(remote, 'rev-parse', ref(run.runId))).toBe(signed.commit);
  git(clone, 'fetch', '--quiet', file, ref(run.runId));
  git(clone, '-c', `gpg.ssh.allowedSignersFile=${trusted}`, 'verify-commit', 'FETCH_HEAD');
  expect(dure(root, 'bundle', '-o', file, '--no-sign')).toContain('not signed');
});
