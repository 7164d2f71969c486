/** One whole run through the commands: real worktrees, processes and tests; only the agents are rehearsed. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { demoBriefing, demoProject } from '../../src/agents/rehearsal/cassettes/demo-files.ts';
import { testProject } from '../helpers/test-project.ts';

const START = ['start', demoBriefing, '--cassette', 'demo', '--launcher', 'process', '--no-browser'];

it('a run asks a question, is answered in another terminal, and is then reviewed, approved, merged into the branch and removed', {
  timeout: 900_000,
}, async () => {
  const project = await testProject(demoProject);
  onTestFinished(() => project.remove());
  expect((await project.dure(['init', '--yes', '--backend', 'rehearsal'])).code).toBe(0);
  const before = await project.git('status', '--porcelain');
  const started = await project.dureJson(START);
  expect(started.code).toBe(3);
  expect(started.json).toMatchObject({
    ok: false,
    phase: 'waiting_human',
    waits_for: 'answer',
    error: { code: 'E_WAITING', exit: 3 },
  });
  const id = String(started.json['run_id']);

  const answered = await project.dureJson([
    'answer',
    id,
    '--decision',
    'a',
    '--rationale',
    'Links are forever',
  ]);
  expect(answered).toMatchObject({
    code: 0,
    json: { vcr: { vcr_id: 'vcr-001', crp_id: 'crp-001', decision: 'A' } },
  });
  const again = await project.dureJson(['answer', id, '--crp', 'crp-001', '--decision', 'B']);
  expect(again.code).toBe(4);
  expect(['E_ANSWERED', 'E_NOT_WAITING']).toContain(again.json.error?.code);

  const waited = await project.dureJson(['wait', id, '--for', 'human', '--timeout', '600']);
  expect(waited.json).toMatchObject({ ok: true, phase: 'ready_for_merge' });
  expect(await project.git('status', '--porcelain')).toBe(before);

  const review = await project.dureJson(['review', id, '--diff']);
  expect(review.json).toMatchObject({
    evidence: { tests: { total: 12, passed: 12, failed: 0 } },
    patch: expect.stringContaining('slugify'),
  });
  expect((await project.dure(['review', id])).stdout).toContain('12 of 12 passed, run by Dure');
  expect((await project.dure(['logs', id, '--agent', 'builder'])).stdout).toContain('slugify');

  const tree = String(review.json['tree']);
  const approved = await project.dureJson(['approve', id, '--tree', tree.slice(0, 12)]);
  expect(approved).toMatchObject({
    code: 0,
    json: { ok: true, phase: 'completed', merged: true, into: 'main', tree, test_files: 0 },
  });
  expect((await project.git('rev-parse', 'HEAD^{tree}')).trim()).toBe(tree);
  expect(await readFile(join(project.root, 'src/slugify.js'), 'utf8')).toContain('slugify');
  expect((await project.dureJson(['wait', id])).code).toBe(0);

  const clean = () => project.dureJson(['clean', id, '--yes']);
  // Its driver may still be exiting.
  await expect.poll(async () => (await clean()).json['removed']).toEqual([id]);
  expect(await project.git('worktree', 'list')).not.toContain(id);
});
