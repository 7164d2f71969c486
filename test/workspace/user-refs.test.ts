/** Branches, tags and stash entries that an agent or the user removed or moved. */
import { beforeEach, expect, test } from 'vitest';
import type { Repository } from '../../src/workspace/git/run-git.ts';
import { lostRefs, userRefs } from '../../src/workspace/git/user-refs.ts';
import { open, person, RUN, repositoryWith, write } from './temporary-projects.ts';

let root: string;
let repo: Repository;
let first: string;
beforeEach(async () => {
  root = await repositoryWith({ 'a.txt': 'a\n' });
  repo = await open(root);
  first = person(root, 'rev-parse', 'HEAD');
});

const run = (...args: string[]) => person(root, ...args);
const commit = (...args: string[]) => run('commit', '-q', '--allow-empty', '-m', 'more', ...args);
async function stash(text: string): Promise<string> {
  await write(root, { 'a.txt': text });
  run('stash', '-q');
  return run('rev-parse', 'refs/stash');
}
const main = () => run('symbolic-ref', 'HEAD');

test('deleted branches and tags and dropped stash entries are lost, and named with their objects', async () => {
  run('branch', 'topic/one');
  run('tag', '-a', '-m', 'one', 'v1');
  const tag = run('rev-parse', 'v1');
  const [older, newer] = [await stash('1\n'), await stash('2\n')];
  const before = await userRefs(repo);
  run('branch', '-D', 'topic/one');
  run('tag', '-d', 'v1');
  run('stash', 'drop', '-q', 'stash@{1}');
  expect(await lostRefs(repo, before, await userRefs(repo))).toEqual([
    { ref: 'refs/stash', object: older, now: null },
    { ref: 'refs/tags/v1', object: tag, now: null },
    { ref: 'refs/heads/topic/one', object: first, now: null },
  ]);
  run('stash', 'drop', '-q');
  expect((await lostRefs(repo, before, await userRefs(repo))).map(({ object }) => object)).toContain(newer);
});

test('a branch or tag counts as lost if it no longer contains its old commit, not if it has more commits', async () => {
  commit();
  const second = run('rev-parse', 'HEAD');
  run('tag', 'v1');
  run('branch', 'ahead');
  const before = await userRefs(repo);
  commit();
  run('branch', '-f', 'ahead', 'HEAD');
  run('branch', 'new');
  run('tag', 'v2');
  await stash('mine\n');
  run('branch', `dure/${RUN}`);
  expect(await lostRefs(repo, before, await userRefs(repo))).toEqual([]);
  run('reset', '-q', '--hard', first);
  run('tag', '-f', 'v1', first);
  expect(await lostRefs(repo, before, await userRefs(repo))).toEqual([
    { ref: 'refs/tags/v1', object: second, now: first },
    { ref: main(), object: second, now: first },
  ]);
});

test('for a branch that was moved forward and then deleted, only its newest commit is named', async () => {
  run('branch', 'topic');
  const before = await userRefs(repo);
  commit();
  run('branch', '-f', 'topic', 'HEAD');
  const later = await userRefs(repo);
  run('branch', '-D', 'topic');
  expect(await lostRefs(repo, [...before, ...later], await userRefs(repo))).toEqual([
    { ref: 'refs/heads/topic', object: run('rev-parse', 'HEAD'), now: null },
  ]);
});

test("the branches of runs do not count as the user's", async () => {
  run('branch', `dure/${RUN}`);
  expect((await userRefs(repo)).join()).toBe(`${first} ${main()}`);
});
