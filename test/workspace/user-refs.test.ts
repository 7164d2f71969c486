/** Branches, tags and stash entries that an agent or the user removed or moved. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { Repository } from '../../src/workspace/git/run-git.ts';
import { lostRefs, type UserRefs, unionOfRefs, userRefs } from '../../src/workspace/git/user-refs.ts';
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
/** Returns a new commit on a new branch. The current branch stays as it is. */
function branchWithCommit(name: string): string {
  run('checkout', '-q', '-b', name);
  run('commit', '-q', '--allow-empty', '-m', name);
  run('checkout', '-q', '-');
  return run('rev-parse', name);
}
async function stash(text: string): Promise<string> {
  await write(root, { 'a.txt': text });
  run('stash', '-q');
  return run('rev-parse', 'refs/stash');
}
const main = () => run('symbolic-ref', 'HEAD');
const lostSince = async (before: UserRefs) => lostRefs(repo, before, await userRefs(repo));
/** Deletes a loose object. */
const remove = (object: string) =>
  rm(join(root, '.git/objects', object.slice(0, 2), object.slice(2)), { force: true });

test('deleted branches and tags and dropped stash entries are lost, and named with their objects', async () => {
  const topic = branchWithCommit('topic/one');
  run('tag', '-a', '-m', 'one', 'v1');
  run('tag', 'v2');
  const tag = run('rev-parse', 'v1');
  const [older, newer] = [await stash('1\n'), await stash('2\n')];
  const before = await userRefs(repo);
  run('branch', '-D', 'topic/one');
  run('tag', '-d', 'v1', 'v2');
  run('stash', 'drop', '-q', 'stash@{1}');
  const rest = [
    { ref: 'refs/heads/topic/one', object: topic, now: null },
    { ref: 'refs/tags/v1', object: tag, now: null },
    { ref: 'refs/tags/v2', object: first, now: null },
  ];
  const dropped = (object: string) => ({ ref: 'refs/stash', object, now: null });
  expect(await lostSince(before)).toEqual({ lost: [dropped(older), ...rest], unread: [] });
  run('stash', 'drop', '-q');
  // Stored again in this order, the newer entry is on top.
  expect((await lostSince(before)).lost).toEqual([dropped(older), dropped(newer), ...rest]);
});

test('a branch is lost if it no longer contains its commit, not if it has more commits, and a tag if it moves', async () => {
  const second = branchWithCommit('ahead');
  run('reset', '-q', '--hard', 'ahead');
  run('tag', 'v1');
  const before = await userRefs(repo);
  branchWithCommit('new');
  run('branch', '-f', 'ahead', 'new');
  run('tag', 'v2');
  await stash('mine\n');
  run('branch', `dure/${RUN}`);
  expect(await lostSince(before)).toEqual({ lost: [], unread: [] });
  for (const name of ['ahead', 'new']) run('branch', '-q', '-D', name);
  run('reset', '-q', '--hard', first);
  run('tag', '-d', 'v2');
  run('tag', '-f', 'v1', first);
  expect((await lostSince(before)).lost).toEqual([
    { ref: 'refs/heads/ahead', object: second, now: null },
    { ref: main(), object: second, now: first },
    { ref: 'refs/tags/v1', object: second, now: first },
  ]);
});

test('a branch that was merged and deleted, renamed or reset is not lost: a branch or tag contains its commit', async () => {
  branchWithCommit('topic');
  branchWithCommit('old');
  branchWithCommit('tagged');
  const before = await userRefs(repo);
  run('merge', '-q', 'topic');
  run('branch', '-d', 'topic');
  run('branch', '-m', 'old', 'trunk');
  run('tag', '-a', '-m', 'kept', 'v1', 'tagged');
  run('branch', '-f', 'tagged', first);
  expect(await lostSince(before)).toEqual({ lost: [], unread: [] });
});

test('a deleted tag is lost even if a branch of the same commit was merged and deleted', async () => {
  const topic = branchWithCommit('topic');
  run('tag', 'v1', 'topic');
  const before = await userRefs(repo);
  run('merge', '-q', 'topic');
  run('branch', '-d', 'topic');
  run('tag', '-d', 'v1');
  expect((await lostSince(before)).lost).toEqual([{ ref: 'refs/tags/v1', object: topic, now: null }]);
});

test('for a branch that was moved and then deleted, only commits that no other of its commits contains are named', async () => {
  branchWithCommit('topic');
  const once = await userRefs(repo);
  run('branch', '-f', 'topic', branchWithCommit('amended'));
  const twice = await userRefs(repo);
  run('checkout', '-q', 'topic');
  run('commit', '-q', '--allow-empty', '-m', 'more');
  run('checkout', '-q', '-');
  const last = await userRefs(repo);
  const earlier = unionOfRefs(unionOfRefs(once, twice), last);
  const [former, latest] = [once, last].map(
    each => each.refs.find(line => line.includes('topic'))!.split(' ')[0],
  );
  run('branch', '-q', '-D', 'topic', 'amended');
  const topic = (object: string | undefined) => ({ ref: 'refs/heads/topic', object, now: null });
  const { lost } = await lostSince(earlier);
  expect(lost.filter(({ ref }) => ref === 'refs/heads/topic')).toEqual([topic(latest), topic(former)]);
});

test('the branch of a run does not count as one that contains a commit of the user', async () => {
  const topic = branchWithCommit('topic');
  const before = await userRefs(repo);
  run('branch', '-m', 'topic', `dure/${RUN}`);
  expect((await lostSince(before)).lost).toEqual([{ ref: 'refs/heads/topic', object: topic, now: null }]);
});

test('a ref whose object git no longer has is not among the lost ones, and named as unread', async () => {
  const [gone, topic] = [branchWithCommit('gone'), branchWithCommit('topic')];
  const before = await userRefs(repo);
  run('branch', '-D', 'gone', 'topic');
  await remove(gone);
  expect(await lostSince(before)).toEqual({
    lost: [{ ref: 'refs/heads/topic', object: topic, now: null }],
    unread: ['refs/heads/gone'],
  });
});

test('if a stash entry cannot be read, lost branches and tags are still found', async () => {
  const damaged = await stash('1\n');
  await stash('2\n');
  const topic = branchWithCommit('topic');
  const before = await userRefs(repo);
  run('branch', '-D', 'topic');
  await remove(damaged);
  expect(await lostSince(before)).toEqual({
    lost: [{ ref: 'refs/heads/topic', object: topic, now: null }],
    unread: ['refs/stash'],
  });
});

test('many deleted tags and dropped stash entries are found with a few git processes', async () => {
  const entries = Array.from({ length: 300 }, (_, n) => run('commit-tree', '-m', `${n}`, `${first}^{tree}`));
  const tags = Array.from({ length: 20_000 }, (_, n) => `${first} refs/tags/v${n}`);
  const now = await userRefs(repo);
  const refs = [...entries.map(each => `${each} refs/stash`), ...now.refs, ...tags];
  const { lost } = await lostRefs(repo, { refs, unread: [] }, now);
  expect(lost).toHaveLength(20_300);
}, 60_000);

test("the branches of runs do not count as the user's", async () => {
  run('branch', `dure/${RUN}`);
  expect((await userRefs(repo)).refs).toEqual([`${first} ${main()}`]);
});
