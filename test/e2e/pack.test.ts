/** The merge-readiness pack: its contents, and what happens if it cannot be created. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { lstat, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { earlierPack } from '../../src/core/run/pack/earlier-packs.ts';
import { expectPackUnchanged } from '../../src/core/run/pack/pack-integrity.ts';
import { requestChanges } from '../../src/core/run/requests/request-changes.ts';
import { viewMrp, viewPackNumbered, viewSince } from '../../src/server/runs/pack-views.ts';
import { readShownPack } from '../../src/terminal/runs/read-and-verify-shown-pack.ts';
import { reviewScreen } from '../../src/terminal/views/pack-views.ts';
import { git } from '../helpers/git-repositories.ts';
import { builds, cassette, generates, refines } from './agent-moves.ts';
import { scratchProject } from './scratch-project.ts';

test('a pack that cannot be created leads to a question; on retry, it is created without another launch', async () => {
  const { root, start } = await scratchProject();
  const run = await start(cassette());
  const hidden = join(root, 'hidden');
  let object = '';
  const asking = await run.drive(event => {
    if (event.type !== 'verdict.given') return;
    const id = git(root, 'hash-object', join(run.files.worktree, 'greeting.txt'));
    object = join(root, '.git/objects', id.slice(0, 2), id.slice(2));
    renameSync(object, hidden);
    renameSync(run.files.sealed, `${hidden}-sealed`);
    mkdirSync(run.files.sealed);
  });
  expect(asking).toMatchObject({ phase: 'waiting_human', waiting: { why: 'pack' } });
  const crp = JSON.parse(await readFile(run.files.crp(asking.pending_crp!), 'utf8'));
  expect(crp).toMatchObject({ created_by: 'dure', type: 'pack', options: [{ id: 'retry' }, { id: 'stop' }] });
  expect(crp.context).toContain('Sealed results are missing');

  renameSync(hidden, object);
  await run.answer('retry');
  const ready = await run.drive();
  expect(ready).toMatchObject({ phase: 'ready_for_merge', launch: asking.launch });
  expect(await readFile(join(run.files.mrp, 'changes.patch'), 'utf8')).toContain('+hello');
  expect((await run.approve()).phase).toBe('completed');
});

test('a pack keeps links among the tests, and stores links among the changed files as regular files', async () => {
  const { start } = await scratchProject();
  const run = await start(
    cassette({
      builder: [[{ sh: 'ln -s /etc/passwd builder/output/outside' }, ...builds('hello\n')]],
      'verifier:generate': [
        [...generates.slice(0, 1), { sh: 'ln -s greets.sh verifier/tests/too.sh' }, ...generates.slice(1)],
      ],
    }),
  );
  expect((await run.drive()).phase).toBe('ready_for_merge');
  const { mrp } = run.files;
  expect((await readdir(mrp)).sort()).toEqual([
    'changes.patch',
    'check.sh',
    'code',
    'criteria.json',
    'evidence.json',
    'proof.json',
    'summary.md',
    'tests',
  ]);
  expect((await readdir(join(mrp, 'tests'))).sort()).toEqual(['greets.sh', 'too.sh']);
  expect(await readlink(join(mrp, 'tests/too.sh'))).toBe('greets.sh');
  expect((await lstat(join(mrp, 'code/outside'))).isFile()).toBe(true);
  expect(await readFile(join(mrp, 'code/outside'), 'utf8')).toBe('/etc/passwd');
  expect(await readFile(join(mrp, 'code/greeting.txt'), 'utf8')).toBe('hello\n');
});

test('a pack quotes the briefing as the user wrote it, even if an agent changed the file', async () => {
  const { start } = await scratchProject();
  const run = await start(
    cassette({ refiner: [[{ write: 'briefing/raw.md', text: 'Another title.\n' }, ...refines]] }),
  );
  expect((await run.drive()).phase).toBe('ready_for_merge');
  expect(await readFile(run.files.raw, 'utf8')).toBe('Another title.\n');
  const summary = await readFile(run.files.summary, 'utf8');
  expect(summary).toContain('Write greeting.txt that greets.');
  expect(summary).not.toContain('Another title.');
});

test('a project without git gets its pack if the name of its folder contains a line break', async () => {
  const { root, start } = await scratchProject({ git: false, name: 'line\nbreak' });
  const run = await start(cassette());
  expect((await run.drive()).phase).toBe('ready_for_merge');
  expect((await run.approve()).phase).toBe('completed');
  expect(await readFile(join(root, 'greeting.txt'), 'utf8')).toBe('hello\n');
});

test('a modified pack is neither shown nor approved: Dure recreates it and says so', async () => {
  const { root, project, start } = await scratchProject();
  const run = await start(cassette());
  expect((await run.drive()).phase).toBe('ready_for_merge');
  const made = await readFile(run.files.patch, 'utf8');
  await writeFile(run.files.patch, made.replace('+hello', '+goodbye'));
  await writeFile(join(run.files.mrpCode, 'added.txt'), 'not of the result\n');
  const refused = expect.objectContaining({ code: 'E_PACK_CHANGED' });
  await expect(viewMrp(project, run.files)).rejects.toEqual(refused);
  await expect(expectPackUnchanged(run.files, await run.state())).rejects.toEqual(refused);

  const remade = await run.approve();
  expect(remade.phase).toBe('ready_for_merge');
  expect((await run.events()).at(-1)).toMatchObject({
    type: 'mrp.created',
    remade: ['changes.patch', 'code'],
  });
  expect(await readFile(run.files.patch, 'utf8')).toBe(made);
  expect((await viewMrp(project, run.files)).patch).toContain('+hello');
  expect(existsSync(join(root, 'greeting.txt'))).toBe(false);
  expect((await run.approve()).phase).toBe('completed');
});

test('a request for changes is accepted even if the pack is missing', async () => {
  const { start } = await scratchProject();
  const run = await start(cassette({ builder: [builds('hello\n'), builds('hello again\n')] }));
  const ready = await run.drive();
  await rm(run.files.mrp, { recursive: true });
  await requestChanges({ ...run, state: ready }, 'Say it twice.');
  await run.drive();
  expect((await run.events()).filter(e => e.type === 'mrp.rejected')).toHaveLength(1);
});

test('a pack stays readable after changes were requested, and the next one shows what changed since', async () => {
  const { project, start } = await scratchProject();
  const run = await start(cassette({ builder: [builds('hello\n'), builds('hello again\n')] }));
  const first = await run.drive();
  const comment = { file: 'greeting.txt', line: 1, comment: 'Say it twice.' };
  await requestChanges({ ...run, state: first }, '', [comment]);
  const second = await run.drive();
  expect(second.mrp!.tree).not.toBe(first.mrp!.tree);
  const views = await Promise.all([1, 2].map(n => viewPackNumbered(project, run.files, n)));
  expect(views[0]).toMatchObject({ pack: 1, open: false, tree: first.mrp!.tree });
  expect(views[0]).toMatchObject({ feedback: { comments: [comment] }, judgement: { verdict: 'PASS' } });
  expect(views[0]!.patch).toContain('+hello\n');
  expect(views[1]).toMatchObject({ pack: 2, open: true, tree: second.mrp!.tree, feedback: null });
  const since = await viewSince(project, run.files, 2);
  expect(since).toMatchObject({ pack: 1, comments: [comment], rebased: false });
  expect(since.patch).toContain('-hello\n+hello again\n');
  await expect(viewPackNumbered(project, run.files, 3)).rejects.toThrow('has no pack 3');
});

test('the result of an earlier pack can be kept on a branch with the command that its review prints', async () => {
  const { root, start } = await scratchProject();
  const run = await start(cassette({ builder: [builds('hello\n'), builds('worse\n')] }));
  const first = await run.drive();
  await requestChanges({ ...run, state: first }, 'Say it better.');
  await run.drive();
  const { files, state } = await earlierPack(run.files, 1);
  const screen = stripVTControlCharacters(reviewScreen(await readShownPack(files, state, 1), 1));
  git(root, 'gc', '--quiet', '--prune=now');
  const command = /^ *(git branch .*)$/m.exec(screen)?.[1];
  execFileSync('sh', ['-c', command!], { cwd: root });
  expect(git(root, 'rev-parse', `${run.runId}-pack-1^{tree}`)).toBe(first.mrp!.tree);
});

test("an approval that includes the tests merges exactly the proven tree plus the Verifier's tests", async () => {
  const { root, start } = await scratchProject();
  const run = await start(cassette());
  const { tests, mrp } = await run.drive();
  const laid = git(root, 'ls-tree', '-r', '--name-only', `${tests!.tests_tree}:tests`).split('\n');
  expect((await run.approve({ tests: 'land' })).phase).toBe('completed');
  expect((await run.events()).at(-1)).toMatchObject({ type: 'run.completed', tests: laid.length });
  expect(git(root, 'diff', '--name-only', mrp!.tree, 'HEAD').split('\n')).toEqual(laid);
  for (const path of laid)
    expect(git(root, 'rev-parse', `HEAD:${path}`)).toBe(
      git(root, 'rev-parse', `${tests!.tests_tree}:tests/${path}`),
    );
  expect(git(root, 'log', '--format=%an', '-1')).toBe('Ann');
  expect(git(root, 'status', '--porcelain', '--', ':!.dure')).toBe('');
});
