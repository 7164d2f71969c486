/** The objects of lost refs that are kept in git. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keepLostRefs, recordUserRefs } from '../../src/core/run/effects/keep-lost-refs.ts';
import type { RunContext } from '../../src/core/run/run-context.ts';
import { runFiles } from '../../src/formats/layout.ts';
import type { RunState } from '../../src/formats/state.ts';
import { open, person, RUN, repositoryWith } from './temporary-projects.ts';

test('of 1,100 lost tags with different commits all are named, and the objects of 1,000 are kept', async () => {
  const root = await repositoryWith({ 'a.txt': 'a\n' });
  const commits = Array.from(
    { length: 1100 },
    (_, n) => `commit refs/tags/t${n}\nmark :${n + 1}\ncommitter A <a@b.c> ${n} +0000\ndata 0\n`,
  );
  execFileSync('git', ['fast-import', '--quiet'], { cwd: root, input: commits.join('') });
  const context = { repo: await open(root), files: runFiles(join(root, 'run')) } as RunContext;
  const state = { run_id: RUN, launch: 1, setup: { sandbox: null } } as unknown as RunState;
  await recordUserRefs(context, state);
  const deletions = commits.map((_, n) => `delete refs/tags/t${n}\n`);
  execFileSync('git', ['update-ref', '--stdin'], { cwd: root, input: deletions.join('') });
  const { lost_refs, unread_refs } = await keepLostRefs(context, state);
  expect([lost_refs?.length, unread_refs]).toEqual([1100, []]);
  expect(person(root, 'for-each-ref', '--format=x', 'refs/dure/kept').split('\n')).toHaveLength(1000);
});
