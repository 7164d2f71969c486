/** An agent runs with the permissions of the user. Its changes outside the run are reported, but not prevented. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { git } from '../helpers/git-repositories.ts';
import { builds, cassette } from './agent-moves.ts';
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

test('branches, tags and stash entries that an agent removed are named in the pack, and their objects are kept', async () => {
  const { start, root } = await scratchProject();
  git(root, 'branch', 'mine');
  git(root, 'tag', 'v1');
  await writeFile(join(root, 'README.md'), 'stashed\n');
  git(root, 'stash', '--quiet');
  const [stash, head] = [git(root, 'rev-parse', 'refs/stash'), git(root, 'rev-parse', 'HEAD')];
  const removes = 'git stash drop --quiet; git branch -D mine; git tag -d v1';
  const run = await start(cassette({ builder: [[{ sh: removes }, ...builds('hello\n')]] }));
  expect((await run.drive()).phase).toBe('ready_for_merge');
  const summary = await readFile(run.files.summary, 'utf8');
  for (const command of [`git stash store ${stash}`, `git branch mine ${head}`, `git tag v1 ${head}`]) {
    expect(summary).toContain(`- \`${command}\``);
    git(root, ...command.split(' ').slice(1));
  }
  expect(git(root, 'for-each-ref', '--format=%(objectname)', 'refs/dure/kept')).toContain(stash);
  expect(git(root, 'stash', 'show', '--name-only', 'stash@{0}')).toBe('README.md');
});
