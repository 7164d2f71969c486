/** An agent runs with the permissions of the user. Its changes outside the run are reported, but not prevented. */
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { requestStop } from '../../src/core/run/requests/write-requests.ts';
import type { Move } from '../../src/formats/cassette.ts';
import { SIZE_LIMIT } from '../../src/formats/read-and-write-files.ts';
import { git } from '../helpers/git-repositories.ts';
import { asks, builds, cassette, refines } from './agent-moves.ts';
import { scratchProject } from './scratch-project.ts';

const HEADING = '## Changed outside the run';

test("the pack lists changes that were made to the user's working tree and to Dure's settings while an agent was running", async () => {
  const { start, root } = await scratchProject();
  const strays =
    'echo more >> ../../../README.md; echo x > ../../../stray.txt; echo "{}" > ../../config/zzz.json; echo "{}" > ../../decisions/a.json';
  const run = await start(
    cassette({ builder: [[{ sh: `mkdir -p ../../decisions; ${strays}` }, ...builds('hello\n')]] }),
  );
  // Uncommitted work from before the run is not reported.
  await writeFile(join(root, 'mine.txt'), 'mine\n');
  expect((await run.drive()).phase).toBe('ready_for_merge');
  const summary = await readFile(run.files.summary, 'utf8');
  expect(summary).toContain(HEADING);
  expect(summary).toContain(
    '- build (launch 2): `.dure/config/zzz.json`, `.dure/decisions/a.json`, `README.md`, `stray.txt`\n',
  );
  expect(summary).not.toContain('mine.txt');
});

test("a run without changes to the user's working tree or to Dure's settings reports none", async () => {
  const { start } = await scratchProject();
  const run = await start(cassette());
  expect((await run.drive()).phase).toBe('ready_for_merge');
  expect(await readFile(run.files.summary, 'utf8')).not.toContain(HEADING);
});

/** A project with a branch, a tag and a stash entry of the user, and the commands that bring them back. */
async function projectWithRefs() {
  const project = await scratchProject();
  const { root } = project;
  const head = git(root, 'rev-parse', 'HEAD');
  const mine = git(root, 'commit-tree', '-p', head, '-m', 'mine', 'HEAD^{tree}');
  git(root, 'branch', 'mine', mine);
  git(root, 'tag', 'v1');
  await writeFile(join(root, 'README.md'), 'stashed\n');
  git(root, 'stash', '--quiet');
  const stash = git(root, 'rev-parse', 'refs/stash');
  const commands = [`git stash store ${stash}`, `git branch mine ${mine}`, `git tag v1 ${head}`];
  return { ...project, commands, objects: [stash, mine, head].sort() };
}
const REMOVES: Move = { sh: 'git stash drop --quiet; git branch -D mine; git tag -d v1' };
const keptObjects = (root: string) =>
  git(root, 'for-each-ref', '--format=%(objectname)', 'refs/dure/kept').split('\n').sort();

test('branches, tags and stash entries that an agent removed are named in the pack, and their objects are kept', async () => {
  const { start, root, commands, objects } = await projectWithRefs();
  const run = await start(cassette({ builder: [[REMOVES, ...builds('hello\n')]] }));
  expect((await run.drive()).phase).toBe('ready_for_merge');
  const summary = await readFile(run.files.summary, 'utf8');
  for (const command of commands) {
    expect(summary).toContain(`- \`${command}\``);
    git(root, ...command.split(' ').slice(1));
  }
  expect(keptObjects(root)).toEqual(objects);
  expect(git(root, 'stash', 'show', '--name-only', 'stash@{0}')).toBe('README.md');
});

test('a lost branch whose commit is damaged is named, and the objects of other lost refs are kept', async () => {
  const { start, root, objects } = await projectWithRefs();
  const head = git(root, 'rev-parse', 'HEAD');
  const commit = git(root, 'commit-tree', '-p', head, '-m', 'damaged', 'HEAD^{tree}');
  git(root, 'branch', 'damaged', commit);
  const object = join(root, '.git/objects', commit.slice(0, 2), commit.slice(2));
  const damages: Move = { sh: `git branch -D damaged; chmod u+w '${object}'; : > '${object}'` };
  const run = await start(cassette({ builder: [[damages, REMOVES, ...builds('hello\n')]] }));
  expect((await run.drive()).phase).toBe('ready_for_merge');
  expect(await readFile(run.files.summary, 'utf8')).toContain(
    'could not be compared: `refs/heads/damaged`.**',
  );
  expect(keptObjects(root)).toEqual(objects);
});

test('the objects of lost refs are also kept if the run ends without a pack', async () => {
  const { start, root, objects } = await projectWithRefs();
  const asking = asks('crp-001', 'builder');
  const run = await start(cassette({ builder: [[REMOVES, asking, { exit: 0 }]] }));
  expect((await run.drive()).phase).toBe('waiting_human');
  await requestStop(run.files, await run.state(), 'enough');
  expect((await run.drive()).phase).toBe('stopped');
  expect(keptObjects(root)).toEqual(objects);
});

test('lost refs and changed files are named in a repository with 80,000 tags', async () => {
  const { start, root, commands } = await projectWithRefs();
  const head = git(root, 'rev-parse', 'HEAD');
  const tags = Array.from({ length: 80_000 }, (_, n) => `${head} refs/tags/t${n}\n`);
  await writeFile(join(root, '.git/packed-refs'), tags.join(''));
  const strays: Move = { sh: 'echo more >> ../../../README.md' };
  const run = await start(cassette({ builder: [[REMOVES, strays, ...builds('hello\n')]] }));
  expect((await run.drive()).phase).toBe('ready_for_merge');
  expect((await stat(run.files.userRefs)).size).toBeGreaterThan(SIZE_LIMIT);
  const summary = await readFile(run.files.summary, 'utf8');
  for (const command of commands) expect(summary).toContain(`- \`${command}\``);
  expect(summary).toContain('- build (launch 2): `README.md`');
});

test('a stash entry that was made during the run, and dropped by a later agent, is named in the pack', async () => {
  const { start, root } = await projectWithRefs();
  const stashes: Move = { sh: 'cd ../../..; echo later > README.md; git stash --quiet' };
  const drops: Move = { sh: 'git rev-parse refs/stash > ../../../.git/dropped; git stash drop --quiet' };
  const run = await start(
    cassette({ refiner: [[stashes, ...refines]], builder: [[drops, ...builds('hello\n')]] }),
  );
  expect((await run.drive()).phase).toBe('ready_for_merge');
  const dropped = (await readFile(join(root, '.git/dropped'), 'utf8')).trim();
  expect(await readFile(run.files.summary, 'utf8')).toContain(`- \`git stash store ${dropped}\``);
});

test.each([
  ['removed', 'rm sealed/user-refs.json'],
  ['damaged', 'echo damaged > sealed/user-refs.json'],
])('if an agent %s the record of the refs, the pack says that they could not be compared', async (_, sh) => {
  const { start } = await projectWithRefs();
  const run = await start(cassette({ builder: [[{ sh }, REMOVES, ...builds('hello\n')]] }));
  expect((await run.drive()).phase).toBe('ready_for_merge');
  expect(await readFile(run.files.summary, 'utf8')).toContain(
    'could not be compared: `refs/stash`, `refs/heads/`, `refs/tags/`.**',
  );
});
