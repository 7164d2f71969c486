import { test } from 'vitest';
import { finished, ready } from '../workspace/ready-result.ts';
import { cutShort } from '../workspace/temporary-projects.ts';

test('an approval that is interrupted before any one of its git calls is finished by the next attempt', async () => {
  for (let calls = 0, cut = true; cut; calls++) {
    const { root, commit, tree, approve } = await ready();
    cut = await cutShort(calls, approve);
    await approve();
    await finished(root, commit, tree);
  }
});
