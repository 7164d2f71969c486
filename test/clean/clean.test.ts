/** `dure clean` on prepared folders. `test/e2e/clean.test.ts` removes whole runs. */
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runFiles } from '../../src/formats/layout.ts';
import { replaceJson } from '../../src/formats/read-and-write-files.ts';
import { ownIdentity } from '../../src/process/identity.ts';
import {
  COMPLETED,
  FAILED,
  prepareRun,
  READY,
  STARTED,
  STOPPED,
  type Untimed,
} from '../commands/prepared-runs.ts';
import { type TestProject, testProject } from '../helpers/test-project.ts';

const id = (second: number) => `run-20260131-14220${second}`;

let project: TestProject;
beforeEach(async () => {
  project = await testProject();
  await project.dure(['init', '--yes', '--backend', 'rehearsal']);
});
afterEach(() => project.remove());

const left = async () => (await readdir(project.files.runs)).sort();

describe('dure clean', () => {
  it('with --dry-run, lists exactly what it would remove', async () => {
    await prepareRun(project, id(1), FAILED);
    await prepareRun(project, id(2), STOPPED);
    await prepareRun(project, id(3), COMPLETED);
    await prepareRun(project, id(4), READY);
    await prepareRun(project, id(5), STARTED);
    const before = await left();
    const args = ['clean', '--state', 'failed,completed', '--older-than', '1m'];
    const dry = await project.dureJson([...args, '--dry-run']);
    expect(dry.json).toMatchObject({ dry_run: true, removed: [id(1), id(3)] });
    expect(await left()).toEqual(before);
    const real = await project.dureJson([...args, '--yes']);
    expect(real.json).toEqual({ ...dry.json, dry_run: false });
    expect(await left()).toEqual([id(2), id(4), id(5)]);
  });

  it('removes nothing without consent, and names the option that gives it', async () => {
    await prepareRun(project, id(1), FAILED);
    const text = await project.dure(['clean']);
    expect(text).toMatchObject({ code: 4, stderr: expect.stringContaining('E_NOT_AGREED') });
    const { code, json } = await project.dureJson(['clean']);
    expect(code).toBe(4);
    expect(json).toMatchObject({
      ok: false,
      removed: [id(1)],
      dry_run: true,
      error: { code: 'E_NOT_AGREED' },
    });
    expect(await left()).toEqual([id(1)]);
    expect((await project.dureJson(['clean', '--older-than', 'ages'])).json.error?.code).toBe('E_SPAN');
  });

  it('never removes a run with a live driver or agent', async () => {
    const runner = { ...ownIdentity(), token_hash: '' };
    const { files: driven } = await prepareRun(project, id(1), FAILED);
    const { files: alone } = await prepareRun(project, id(2), STARTED);
    // Its agent removed the claim.
    const [{ type, ...started }] = STARTED as [Untimed];
    await prepareRun(project, id(3), [{ type, ...started, runner } as Untimed]);
    const now = new Date().toISOString();
    await replaceJson(driven.driver, { process: ownIdentity(), since: now });
    await replaceJson(alone.claim(1), { launch: 1, runner, claimed_at: now });
    const { json } = await project.dureJson(['clean', '--force', '--yes', '--state', 'failed,interrupted']);
    expect(json['removed']).toEqual([]);
    expect(json['kept']).toEqual(
      [id(1), id(2), id(3)].map(run_id => ({
        run_id,
        why: 'a process is driving it; run `dure stop` first',
      })),
    );
    await rm(driven.driver);
    await rm(alone.claim(1));
    expect(
      (await project.dureJson(['clean', '--force', '--yes', '--state', 'failed,interrupted'])).json[
        'removed'
      ],
    ).toEqual([id(1), id(2)]);
  });

  it('removes only folders that are runs', async () => {
    await mkdir(join(project.files.run(id(1)), 'precious'), { recursive: true });
    await prepareRun(project, id(2), FAILED);
    await rename(project.files.run(id(2)), project.files.run(id(3)));
    const elsewhere = join(project.parentFolder, id(4));
    await prepareRun(project, id(4), FAILED);
    await rename(project.files.run(id(4)), elsewhere);
    await symlink(elsewhere, project.files.run(id(4)));
    await writeFile(join(project.files.runs, 'notes.txt'), 'mine');
    const { json } = await project.dureJson(['clean', '--force', '--yes']);
    expect(json['removed']).toEqual([]);
    expect(await left()).toEqual(['notes.txt', id(1), id(3), id(4)].sort());
    expect(existsSync(runFiles(elsewhere).state)).toBe(true);
    const named = await project.dureJson(['clean', id(1), '--force', '--yes']);
    expect(named.json.error).toMatchObject({
      code: 'E_KEPT',
      message: expect.stringContaining('contains precious, which Dure does not write'),
    });
    expect(await readdir(project.files.run(id(1)))).toEqual(['precious']);
  });

  it('removes a run with a damaged state if its log says that it is over', async () => {
    const { files } = await prepareRun(project, id(1), FAILED);
    await writeFile(files.state, '{ torn');
    expect((await project.dureJson(['clean', '--yes'])).json['removed']).toEqual([id(1)]);
  });

  it('needs --force to remove a run whose state and log are damaged, but whose log still has an intact first line', async () => {
    const { files } = await prepareRun(project, id(1), FAILED);
    await writeFile(files.state, '{ torn');
    const [first, ...others] = (await readFile(files.events, 'utf8')).split('\n');
    await writeFile(files.events, [first, 'not an event', ...others].join('\n'));
    const args = ['clean', '--yes'];
    expect((await project.dureJson(args)).json['kept']).toEqual([
      { run_id: id(1), why: expect.stringContaining('cannot be read') },
    ]);
    expect((await project.dureJson([...args, '--force'])).json['removed']).toEqual([id(1)]);
  });

  it('removes folders that their owner cannot write to', async () => {
    const { files } = await prepareRun(project, id(1), FAILED);
    const stubborn = join(files.worktree, 'pkg/mod');
    await mkdir(stubborn, { recursive: true });
    await writeFile(join(stubborn, 'file'), '');
    await chmod(stubborn, 0o500);
    expect((await project.dureJson(['clean', '--yes'])).json['removed']).toEqual([id(1)]);
    expect(await left()).toEqual([]);
  });

  it('removes an imported run only when it is named', async () => {
    await project.write('.orchestral/runs/run-20240101-000000/briefing/raw.md', 'Once\n');
    await project.dure(['init', '--yes']);
    await project.dure(['import-orchestral']);
    expect((await project.dureJson(['clean', '--yes', '--force'])).json).toMatchObject({
      removed: [],
      kept: [{ why: expect.stringContaining('imported') }],
    });
    const { json } = await project.dureJson(['clean', 'run-20240101-000000', '--yes']);
    expect(json['removed']).toEqual(['run-20240101-000000']);
    expect(existsSync(join(project.root, '.orchestral/runs/run-20240101-000000'))).toBe(true);
  });
});
