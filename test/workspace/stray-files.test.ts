import { chmod, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  fingerprint,
  restoreWorktree,
  strayChanges,
  worktreeTree,
} from '../../src/workspace/seal/stray-files.ts';
import { build, everyByte, folder, person, RUN, repositoryWith, write } from './temporary-projects.ts';

const runFolder = () =>
  folder({
    'briefing/raw.md': 'raw',
    'briefing/refined.md': 'refined',
    'builder/log.md': 'log',
    'builder/output/a.txt': 'a',
    'verifier/test-output.json': '{}',
    'gatekeeper/verdict.json': '{}',
    'vcr/vcr-001.json': '{}',
    'crp/crp-001.json': '{}',
    'mrp/summary.md': 'm',
    'state.json': '{}',
    'events.log': 'e',
    'logs/builder.1.jsonl': 'l',
  });

const FOLDERS = ['briefing', 'builder', 'verifier', 'gatekeeper'];

describe('the write rule', () => {
  test('allows a role to write in its own folder, ask questions and use the worktree, and ignores files that Dure writes', async () => {
    const dir = await runFolder();
    const before = await fingerprint(dir, FOLDERS);
    await write(dir, {
      'builder/done.flag': '',
      'builder/output/a.txt': 'changed',
      'crp/crp-002.json': '{}',
      'state.json': '{"phase":"build"}',
      'events.log': 'ee',
      'logs/builder.1.jsonl': 'll',
      'sealed/x': 'x',
      'requests/stop.json': '{}',
    });
    await rm(join(dir, 'builder/log.md'));
    expect(strayChanges(before, await fingerprint(dir, FOLDERS), ['builder', 'crp'])).toEqual([]);
  });

  test("reports every file changed, added or removed outside the agent's folders", async () => {
    const dir = await runFolder();
    const before = await fingerprint(dir, FOLDERS);
    await write(dir, {
      'gatekeeper/verdict.json': '{"verdict":"PASS"}',
      'vcr/vcr-002.json': '{}',
      'verifier-2/x': 'x',
    });
    await rm(join(dir, 'mrp/summary.md'));
    await rm(join(dir, 'briefing/refined.md'));
    await symlink('/etc/passwd', join(dir, 'briefing/refined.md'));
    expect(strayChanges(before, await fingerprint(dir, FOLDERS), ['builder', 'crp'])).toEqual([
      'briefing/refined.md',
      'gatekeeper/verdict.json',
      'mrp/summary.md',
      'vcr/vcr-002.json',
    ]);
  });

  test("also covers the files in a role's folder that only the user or Dure may write", async () => {
    const dir = await runFolder();
    const before = await fingerprint(dir, FOLDERS);
    await write(dir, {
      'briefing/raw.md': 'x',
      'verifier/test-output.json': 'x',
      'verifier/test-log.txt': 'x',
    });
    expect(strayChanges(before, await fingerprint(dir, FOLDERS), ['briefing', 'verifier'])).toEqual([
      'briefing/raw.md',
      'verifier/test-log.txt',
      'verifier/test-output.json',
    ]);
  });

  test("is not confused by a folder whose name begins with the name of a role's folder", async () => {
    const [before, after] = [
      new Map(),
      new Map([
        ['builder2/x', 'h'],
        ['builder/..x', 'h'],
      ]),
    ];
    expect(strayChanges(before, after, ['builder'])).toEqual(['builder2/x']);
  });
});

describe('the worktree after a role that must not change it', () => {
  test('has the sealed tree if it was not changed', async () => {
    const root = await repositoryWith({ 'a.txt': 'a\n', '.gitignore': '*.log\n' });
    const base = person(root, 'rev-parse', 'HEAD');
    const { repo, dir, tree } = await build(root, base, { 'b.txt': 'b\n' });
    await write(dir, { 'x.log': 'ignored\n' });
    expect(await worktreeTree(repo, dir, base)).toBe(tree);
    await chmod(join(dir, 'b.txt'), 0o755);
    expect(await worktreeTree(repo, dir, base)).not.toBe(tree);
  });

  test('is restored to the sealed tree, and the stray changes are kept, as files and in git', async () => {
    const root = await repositoryWith({ 'a.txt': 'a\n', '.gitignore': '*.log\n' });
    const base = person(root, 'rev-parse', 'HEAD');
    const { repo, dir, commit } = await build(root, base, { 'b.txt': 'b\n', 'd/e.txt': 'e\n' });
    const worktree = { runId: RUN, dir, commit };
    const before = await everyByte(dir);
    await write(dir, { 'a.txt': 'stray\n', 'new/deep.txt': 'stray\n', '.gitignore': '' });
    await rm(join(dir, 'b.txt'));
    await rm(join(dir, 'd'), { recursive: true });
    const outside = await folder({ 'e.txt': 'not mine\n' });
    await symlink(outside, join(dir, 'd'));
    const keepIn = join(root, '.dure/stray');
    const strays = ['.gitignore', 'a.txt', 'b.txt', 'd', 'd/e.txt', 'new/deep.txt'];
    expect(await restoreWorktree(repo, worktree, keepIn)).toEqual(strays);
    expect(await everyByte(dir)).toEqual(before);
    expect(await everyByte(keepIn)).toEqual({
      '.gitignore': '- ',
      'a.txt': '- stray\n',
      d: `- ${Buffer.from(outside).toString('latin1')}`,
      'new/deep.txt': '- stray\n',
    });
    const kept = person(root, 'for-each-ref', '--format=%(refname)', `refs/dure/kept/${RUN}`);
    expect(person(root, 'rev-parse', `${kept}^`)).toBe(commit);
    expect(person(root, 'diff', '--name-only', commit, kept).split('\n')).toEqual(strays);
    expect(person(root, 'show', `${kept}:new/deep.txt`)).toBe('stray');

    expect(await restoreWorktree(repo, worktree, keepIn)).toEqual([]);
    expect(await everyByte(outside)).toEqual({ 'e.txt': '- not mine\n' });
  });
});
