/** `dure clean` on whole runs with real worktrees. */
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runFiles } from '../../src/formats/layout.ts';
import { prepareRun, READY } from '../commands/prepared-runs.ts';
import { slowRun } from '../commands/slow-run.ts';
import { killDriver } from '../helpers/kill-driver.ts';
import { type TestProject, testProject } from '../helpers/test-project.ts';
import { lockContent } from '../workspace/temporary-projects.ts';

const id = (second: number) => `run-20260131-14220${second}`;

let project: TestProject;
beforeEach(async () => {
  project = await testProject();
  await project.dure(['init', '--yes', '--backend', 'rehearsal']);
});
afterEach(() => project.remove());

const left = async () => (await readdir(project.files.runs)).sort();
const refs = async (prefix: string) =>
  (await project.git('for-each-ref', '--format=%(refname)', prefix)).split('\n').filter(ref => ref !== '');

/** A rehearsed run that is ready to merge. */
async function readyRun(): Promise<string> {
  const args = ['start', 'Leave a note', '--backend', 'rehearsal', '--launcher', 'process', '--no-browser'];
  const { json } = await project.dureJson(args);
  expect(json).toMatchObject({ ok: true, phase: 'ready_for_merge' });
  return String(json['run_id']);
}

/** Waits until the driver and the agents of a run have exited. */
async function atRest(run: string): Promise<void> {
  for (const until = Date.now() + 60_000; Date.now() < until; ) {
    const { json } = await project.dureJson(['clean', run, '--dry-run']);
    if (!JSON.stringify(json['kept']).includes('a process is driving it')) return;
    await new Promise(resolve => setTimeout(resolve, 100));
  }
  throw new Error(`${run} is still running`);
}

describe('dure clean', () => {
  it('like dure stop, removes the index lock that a killed approval of the run left behind, and no other lock', async () => {
    const run = await readyRun();
    const lock = join(project.root, '.git/index.lock');
    const leave = (of: string) => writeFile(lock, lockContent(of));
    await killDriver(runFiles(project.files.run(run)));
    await leave(run);
    await project.dureJson(['stop', run]);
    expect(existsSync(lock)).toBe(false);
    await atRest(run);
    await leave(id(1));
    await project.dureJson(['clean', run, '--yes']);
    expect(existsSync(lock)).toBe(true);
    await rm(lock);
    await project.dure(['clean', '--yes']);
    const next = await readyRun();
    await project.dureJson(['stop', next]);
    await atRest(next);
    await leave(next);
    await project.dureJson(['clean', next, '--yes']);
    expect(existsSync(lock)).toBe(false);
  });

  it('removes a merged run with its worktree, refs and branch, and keeps its backup ref', async () => {
    const run = await readyRun();
    const { code } = await project.dureJson(['approve', run]);
    expect(code).toBe(0);
    await atRest(run);
    expect(await refs(`refs/dure/${run}`)).not.toEqual([]);
    expect(await project.git('worktree', 'list')).toContain(run);

    const { json } = await project.dureJson(['clean', '--yes']);
    expect(json).toMatchObject({ ok: true, removed: [run], kept: [] });
    expect(await left()).toEqual([]);
    expect(await refs(`refs/dure/${run}`)).toEqual([]);
    expect(await refs(`refs/heads/dure/`)).toEqual([]);
    expect(await refs(`refs/dure/backup/${run}`)).toEqual([`refs/dure/backup/${run}`]);
    expect((await project.git('worktree', 'list')).trim().split('\n')).toHaveLength(1);
    expect((await project.git('status', '--porcelain', '--', ':!.dure')).trim()).toBe('');
    await project.git('fsck', '--connectivity-only');
  });

  it.each(['missing', 'empty', 'without a log'])(
    'if the folder of a run is %s, status says where the result is, and clean --force removes everything but the branch',
    async folder => {
      const run = await readyRun();
      await killDriver(runFiles(project.files.run(run)));
      const { dir, events, state } = runFiles(project.files.run(run));
      for (const gone of folder === 'without a log' ? [events, state] : [dir])
        await rm(gone, { recursive: true });
      if (folder === 'empty') await mkdir(dir);
      expect((await project.dureJson(['status', run])).json.error).toMatchObject({
        code: 'E_RUN_FILES_GONE',
        message: `The files of ${run} are gone. Its result is on branch dure/${run}.`,
        suggestions: [expect.stringContaining(`dure clean ${run} --force`)],
      });
      expect((await project.dureJson(['clean', run, '--yes'])).json.error).toMatchObject({
        code: 'E_KEPT',
        message: expect.stringContaining('--force'),
      });
      const { json } = await project.dureJson(['clean', run, '--force', '--yes']);
      expect(json, JSON.stringify(json)).toMatchObject({ ok: true, removed: [run] });
      expect(await left()).toEqual([]);
      expect(await refs('refs/dure')).toEqual([]);
      expect(await refs('refs/heads/dure/')).toEqual([`refs/heads/dure/${run}`]);
      expect((await project.git('worktree', 'list')).trim().split('\n')).toHaveLength(1);
      await project.git('branch', '-D', `dure/${run}`);
      expect((await project.dureJson(['clean', run, '--force'])).json.error?.code).toBe('E_RUN_NOT_FOUND');
    },
  );

  it('keeps a run that is ready to merge; once it is stopped, removes the run but not its branch', async () => {
    const run = await readyRun();
    const kept = await project.dureJson(['clean', run, '--yes']);
    // If its driver is still running, the run is kept for that reason, even with force.
    expect(kept).toMatchObject({ code: 4, json: { error: { code: 'E_KEPT' } } });
    expect((await project.dureJson(['stop', run])).code).toBe(0);
    await atRest(run);
    expect((await project.dureJson(['clean', run, '--yes'])).json).toMatchObject({ removed: [run] });
    expect(await refs('refs/heads/dure/')).toEqual([`refs/heads/dure/${run}`]);
    expect(await project.git('ls-tree', '-r', '--name-only', `dure/${run}`)).toContain('README.md');
  });

  it('keeps a run whose result is only on its branch, until the branch is merged', async () => {
    const run = await readyRun();
    expect((await project.dureJson(['approve', run, '--how', 'branch'])).code).toBe(0);
    await atRest(run);
    const kept = await project.dureJson(['clean', '--yes']);
    expect(kept.json['kept']).toEqual([{ run_id: run, why: expect.stringContaining('not been merged') }]);
    await project.git('merge', '-q', `dure/${run}`);
    expect((await project.dureJson(['clean', '--yes'])).json['removed']).toEqual([run]);
  });

  it('finishes an interrupted removal, and keeps a new run with the same id', async () => {
    const run = await readyRun();
    await project.dureJson(['stop', run]);
    await atRest(run);
    await rename(project.files.run(run), join(project.files.runs, `.removing-${run}`));
    expect((await project.dureJson(['history'])).json['runs']).toEqual([]);
    const { json } = await project.dureJson(['clean', '--yes']);
    expect(json).toMatchObject({ removed: [], finished: [run] });
    expect(await left()).toEqual([]);
    expect(await refs(`refs/dure/${run}`)).toEqual([]);
    expect(await project.git('worktree', 'list')).not.toContain(run);

    await prepareRun(project, id(1), READY);
    await mkdir(join(project.files.runs, `.removing-${id(1)}/old`), { recursive: true });
    expect((await project.dureJson(['clean', '--yes'])).json['finished']).toEqual([id(1)]);
    expect(await left()).toEqual([id(1)]);
  });

  it('works in a folder without a repository', async () => {
    await rm(join(project.root, '.git'), { recursive: true });
    const run = await readyRun();
    expect((await project.dureJson(['approve', run])).code).toBe(0);
    await atRest(run);
    expect((await project.dureJson(['clean', '--yes'])).json['removed']).toEqual([run]);
    expect(await left()).toEqual([]);
  });
});

describe('what a run contains that is neither sealed nor merged', () => {
  const mine = { 'README.md': '# A project, edited\n', 'mine.txt': 'mine\n' };
  beforeEach(() => writeFile(join(project.root, '.git/info/exclude'), 'ignored.txt\n'));

  /** Edits a tracked file in the worktree of a run, adds a file and adds an ignored one. */
  async function edit(run: string): Promise<void> {
    const { stdout, stderr } = await project.dure(['open', run]);
    expect(stderr).toContain(`refs/dure/kept/${run}/`);
    const worktree = stdout.trim();
    for (const [path, text] of Object.entries({ ...mine, 'ignored.txt': '' }))
      await writeFile(join(worktree, path), text);
  }

  /** Returns the only ref below `refs/dure/kept/`, after checking its files. */
  async function keptRef(run: string): Promise<string> {
    const found = await refs(`refs/dure/kept/${run}`);
    expect(found).toHaveLength(1);
    const [ref = ''] = found;
    for (const [path, text] of Object.entries(mine))
      expect(await project.git('show', `${ref}:${path}`)).toBe(text);
    expect(await project.git('ls-tree', '-r', '--name-only', ref)).not.toContain('ignored.txt');
    return ref;
  }

  it('is kept, and dure approve and dure clean print its ref', async () => {
    const run = await readyRun();
    await edit(run);
    const { stderr } = await project.dure(['approve', run]);
    expect(stderr).toContain(await keptRef(run));
    await atRest(run);
    const { stdout } = await project.dure(['clean', '--yes']);
    expect(await left()).toEqual([]);
    expect(stdout).toContain(await keptRef(run));
  });

  it('is kept when a rejection resets the worktree', async () => {
    const run = await readyRun();
    await edit(run);
    const { stderr } = await project.dure(['reject', run, '--feedback', 'Again']);
    expect(stderr).toContain(await keptRef(run));
    await project.dureJson(['wait', run, '--for', 'human', '--timeout', '300']);
    expect(existsSync(join(runFiles(project.files.run(run)).worktree, 'mine.txt'))).toBe(false);
    await keptRef(run);
  });

  it('is kept when a stopped run is removed, and deleted only with --force', async () => {
    for (const force of [[], ['--force']]) {
      const run = await slowRun(project);
      await edit(run);
      await project.dureJson(['stop', run]);
      await atRest(run);
      const { stdout } = await project.dure(['clean', run, '--yes', ...force]);
      expect(await left()).toEqual([]);
      if (force.length) expect(await refs(`refs/dure/kept/${run}`)).toEqual([]);
      else expect(stdout).toContain(await keptRef(run));
    }
  });

  it('if there are many refs, dure clean prints the first 20 and counts the rest', async () => {
    const run = await readyRun();
    await project.dureJson(['stop', run]);
    await atRest(run);
    const head = (await project.git('rev-parse', 'HEAD')).trim();
    for (let n = 10; n < 30; n += 1) await project.git('update-ref', `refs/dure/kept/${run}/${n}`, head);
    const { stdout } = await project.dure(['clean', '--yes']);
    expect(stdout).toContain(`refs/dure/kept/${run}/29`);
    expect(stdout).toContain('and 2 more');
  });

  it('includes the pack, which dure clean keeps and whose ref it prints', async () => {
    const run = await readyRun();
    await project.dureJson(['stop', run]);
    await atRest(run);
    const pack = `refs/dure/packs/${run}`;
    expect((await project.dure(['clean', '--yes'])).stdout).toContain(pack);
    expect(await refs(pack)).toEqual([pack]);
    expect(await project.git('show', `${pack}:summary.md`)).not.toBe('');
  });
});
