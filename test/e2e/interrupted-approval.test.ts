import { expect, test } from 'vitest';
import * as withChanges from '../workspace/included-changes.ts';
import { finished, ready } from '../workspace/ready-result.ts';
import { cutShort, person, RUN, write } from '../workspace/temporary-projects.ts';

test('an approval that is interrupted before any one of its git calls is finished by the next attempt', async () => {
  for (let calls = 0, cut = true; cut; calls++) {
    const { root, commit, tree, approve } = await ready();
    cut = await cutShort(calls, approve);
    await approve();
    await finished(root, commit, tree);
  }
});

// Only every second call, because there are more than a hundred.
test('so is one whose result includes changes, of which some are stashed and some are partly staged', async () => {
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
