import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { programOf } from '../helpers/bundle-program.ts';
import * as withChanges from '../workspace/included-changes.ts';
import { finished, ready } from '../workspace/ready-result.ts';
import { cutShort, folder, person, RUN, write } from '../workspace/temporary-projects.ts';

test('the next attempt finishes an interrupted approval, whichever git call would have been next', async () => {
  for (let calls = 0, cut = true; cut; calls++) {
    const { root, commit, tree, approve } = await ready();
    cut = await cutShort(calls, approve);
    await approve();
    await finished(root, commit, tree);
  }
});

// Only every second call, because there are more than a hundred.
test('an interrupted approval of a result with included changes, some stashed and some partly staged, is finished by the next attempt', async () => {
  for (let calls = 0, cut = true; cut; calls += 2) {
    const run = await withChanges.included(async root => {
      await write(root, { 'mine.txt': 'staged\n' });
      person(root, 'add', 'mine.txt');
      await write(root, { 'mine.txt': withChanges.MINE });
    });
    person(run.root, 'stash', 'push', '-q', 'agent.txt', 'gone.txt', 'undone.txt');
    cut = await cutShort(calls, run.approve);
    await run.approve();
    await withChanges.finished(run);
    expect(person(run.root, 'show', `refs/dure/backup/${RUN}^2:mine.txt`)).toBe('staged');
  }
});

/** Merges the result in its arguments. */
const MERGE = `
import { mergeSealed } from './src/workspace/merge/merge-sealed-result.ts';
const [repo, result] = JSON.parse(process.argv[2] ?? '');
await mergeSealed(repo, result, 'merge');
`;

/**
 * Kills its process before the n-th step after it has begun to lock the index. Steps are what changes the repository or
 * the checkout.
 */
const KILL = `
const files = require('node:fs/promises');
const programs = require('node:child_process');
let left = Infinity;
const counted = (of, name, isStep) => {
  const real = of[name];
  of[name] = (...args) => {
    if (name === 'link' && args[1].endsWith('index.lock')) left = Number(process.env.STEPS);
    if (isStep(args.flat()) && left-- === 0) process.kill(process.pid, 'SIGKILL');
    return real(...args);
  };
};
const inGit = args => args.some(arg => /\\/\\.git\\//.test(String(arg)));
for (const name of ['copyFile', 'link', 'mkdir', 'rename', 'rm', 'utimes', 'writeFile']) counted(files, name, inGit);
const WRITES = ['read-tree', 'update-index', 'update-ref', 'worktree'];
counted(programs, 'spawn', args => args.some(arg => WRITES.includes(arg)));
require('node:module').syncBuiltinESMExports();
`;

test('an approval whose process is killed at any step, from taking the lock onwards, is finished by the next attempt', async () => {
  const dir = await folder();
  const program = await programOf(dir, MERGE);
  const kill = join(dir, 'kill.cjs');
  await writeFile(kill, KILL);
  const seen = { locked: 0, unlocked: 0 };
  for (let steps = 0, killed = true; killed; steps++) {
    const { root, repo, result, commit, tree, approve } = await ready();
    const { rebase: _, ...plain } = result;
    const ran = spawnSync(process.execPath, ['--require', kill, program, JSON.stringify([repo, plain])], {
      env: { ...process.env, STEPS: String(steps) },
      encoding: 'utf8',
    });
    killed = ran.signal === 'SIGKILL';
    if (!killed) expect(ran, ran.stderr).toMatchObject({ status: 0 });
    const locked = existsSync(join(root, '.git/index.lock'));
    seen[locked ? 'locked' : 'unlocked'] += 1;
    await approve();
    await finished(root, commit, tree);
    expect(existsSync(join(root, '.git/index.lock')), `after ${steps} steps`).toBe(false);
    expect(existsSync(join(root, `.git/dure-kept-${tree}`)), `after ${steps} steps`).toBe(false);
  }
  // The first step creates the lock. Only what follows its removal leaves none.
  expect(seen.locked).toBeGreaterThan(10);
  expect(seen.unlocked).toBeGreaterThan(1);
});
