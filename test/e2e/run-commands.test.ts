/** Commands on real runs: real worktrees, processes and tests; only the agents are rehearsed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { demoBriefing, demoProject } from '../../src/agents/rehearsal/cassettes/demo-files.ts';
import { openQuestion, writeAnswer } from '../../src/core/run/requests/write-answer.ts';
import { readState } from '../../src/core/run/run-store.ts';
import { runFiles } from '../../src/formats/layout.ts';
import { killDriver } from '../helpers/kill-driver.ts';
import { bin, type TestProject, testProject } from '../helpers/test-project.ts';
import { hook } from '../workspace/temporary-projects.ts';
import { builds, cassette } from './agent-moves.ts';

let project: TestProject;
beforeEach(async () => {
  project = await testProject(demoProject);
  expect((await project.dure(['init', '--yes', '--backend', 'rehearsal'])).code).toBe(0);
});
afterEach(() => project.remove());

/** A small run without a question. */
const SMALL = ['start', 'Leave a note', '--launcher', 'process', '--no-browser'];
/** A run with a question. */
const START = ['start', demoBriefing, '--cassette', 'demo', '--launcher', 'process', '--no-browser'];

/** Starts the small run, and returns its id and tree when it is ready to merge. */
async function readyRun(): Promise<{ id: string; tree: string }> {
  const { code, json } = await project.dureJson(SMALL);
  expect(code).toBe(0);
  expect(json).toMatchObject({
    ok: true,
    phase: 'ready_for_merge',
    waits_for: 'approval',
    tests: { machine: 'pass' },
    verdict: { verdict: 'PASS' },
  });
  return { id: String(json['run_id']), tree: String(json['tree']) };
}

/** Installs a pre-commit hook that runs until it is released. */
async function heldPreCommit(): Promise<{ begun(): Promise<void>; release(): Promise<void> }> {
  const [begun, go] = [join(project.parentFolder, 'begun'), join(project.parentFolder, 'go')];
  const hold = `touch '${begun}'\nuntil [ -e '${go}' ]; do sleep 0.1; done`;
  await hook(project.root, 'pre-commit', hold);
  return {
    begun: () => expect.poll(() => existsSync(begun)).toBe(true),
    release: () => writeFile(go, ''),
  };
}

/** Starts `dure approve`; `said` returns its messages so far. */
function spawnApprove(id: string) {
  const child = spawn(process.execPath, [bin, 'approve', id], {
    cwd: project.root,
    env: project.env as NodeJS.ProcessEnv,
  });
  let text = '';
  child.stderr.setEncoding('utf8').on('data', more => {
    text += more;
  });
  return { child, said: () => text };
}

describe('a run from the command line', () => {
  it('returns to the Builder with feedback and line comments', async () => {
    const { id } = await readyRun();
    const rejected = await project.dureJson([
      'reject',
      id,
      '--feedback',
      'Name it better',
      '--comment',
      'REHEARSAL.md:1:here',
    ]);
    expect(rejected).toMatchObject({ code: 0, json: { feedback: 1, comments: 1 } });
    const over = await project.dureJson(['wait', id, '--for', 'human', '--timeout', '300']);
    expect(over.json).toMatchObject({ phase: 'ready_for_merge', iteration: 2 });
    const prompt = await readFile(join(project.files.run(id), 'prompts/builder.md'), 'utf8').catch(() => '');
    const { stdout } = await project.dure(['logs', id]);
    expect(`${prompt}${stdout}`).toContain('Name it better');
  });

  it('lets the user open a shell in a prepared copy of the result, which is removed afterwards', async () => {
    await project.dureJson(['config', 'set', 'global.workspace.setup', 'echo installed > installed.txt']);
    const { id, tree } = await readyRun();
    const input = 'pwd\ncat installed.txt\ngit rev-parse HEAD^{tree}\n';
    const { code, stdout, stderr } = await project.spawnDure(['open', '--shell', id], {
      input,
      env: { SHELL: 'sh' },
    });
    const [folder = '', ...printed] = stdout.trim().split('\n');
    expect({ code, printed }).toEqual({ code: 0, printed: ['installed', tree] });
    expect(stderr).toContain(folder);
    expect(existsSync(folder)).toBe(false);
    expect(await project.git('status', '--porcelain')).not.toContain('installed.txt');
  });

  it('changes nothing when its approval is refused, and says why it was refused', async () => {
    const { id, tree } = await readyRun();
    await project.write('REHEARSAL.md', 'something of my own\n');
    const refused = await project.dureJson(['approve', id, '--tree', tree]);
    expect(refused).toMatchObject({
      code: 4,
      json: { ok: false, phase: 'ready_for_merge', error: { code: 'E_MERGE' } },
    });
    expect(refused.json.error?.message.match(/was not merged/g)).toHaveLength(1);
    expect(await readFile(join(project.root, 'REHEARSAL.md'), 'utf8')).toBe('something of my own\n');
    await rm(join(project.root, 'REHEARSAL.md'));
    const approved = await project.dureJson(['approve', id, '--with-tests']);
    expect(approved).toMatchObject({ code: 0, json: { merged: true, test_files: 1 } });
  });

  it('is stopped from another terminal and stays stopped', async () => {
    const detached = await project.dureJson([...SMALL, '--detach']);
    expect(detached.code).toBe(0);
    const id = String(detached.json['run_id']);
    expect(await project.dureJson(['stop', id, '--reason', 'enough'])).toMatchObject({
      code: 0,
      json: { phase: 'stopped' },
    });
    const waited = await project.dureJson(['wait', id]);
    expect(waited).toMatchObject({ code: 5, json: { error: { code: 'E_RUN_STOPPED' } } });
  });

  it('is listed as interrupted after its driver dies, and can be recovered', async () => {
    const { json } = await project.dureJson(START);
    const id = String(json['run_id']);
    expect((await project.dureJson(['recover', id])).json.error?.code).toBe('E_DRIVER_ALIVE');
    await killDriver(runFiles(project.files.run(id)));
    await project.dure(['answer', id, '--yes']);
    const waited = await project.dureJson(['wait', id, '--for', 'human', '--timeout', '300']);
    expect(waited.json).toMatchObject({ phase: 'ready_for_merge' });
  });

  it('continues if the command that wrote the answer was killed before it started a driver', async () => {
    const { json } = await project.dureJson(START);
    const id = String(json['run_id']);
    const files = runFiles(project.files.run(id));
    await killDriver(files);
    vi.stubEnv('HOME', project.env['HOME']!);
    onTestFinished(() => void vi.unstubAllEnvs());
    const state = (await readState(files))!;
    await writeAnswer(files, state, await openQuestion(files, state), { decision: 'a' });
    const again = await project.dureJson(['answer', id, '--decision', 'b']);
    expect(again).toMatchObject({ code: 4, json: { error: { code: 'E_ANSWERED' } } });
    await expect.poll(async () => (await readState(files))?.pending_crp).toBeNull();
  });

  it('is recovered if its question was answered and it has no driver', async () => {
    const { json } = await project.dureJson(START);
    const id = String(json['run_id']);
    const files = runFiles(project.files.run(id));
    await killDriver(files);
    expect((await project.dureJson(['recover', '--auto'])).json).toMatchObject({ recovered: [] });
    vi.stubEnv('HOME', project.env['HOME']!);
    onTestFinished(() => void vi.unstubAllEnvs());
    const state = (await readState(files))!;
    await writeAnswer(files, state, await openQuestion(files, state), { decision: 'a' });
    expect((await project.dureJson(['recover', '--auto'])).json).toMatchObject({ recovered: [id] });
    await expect.poll(async () => (await readState(files))?.pending_crp).toBeNull();
  });

  it('is merged even if its driver is killed during the approval', async () => {
    const held = await heldPreCommit();
    const { id } = await readyRun();
    const files = runFiles(project.files.run(id));
    const approving = project.dureJson(['approve', id]);
    await held.begun();
    await killDriver(files);
    await held.release();
    expect(await approving).toMatchObject({ code: 0, json: { phase: 'completed', merged: true } });
  });

  it('tells a person whose stop or feedback arrives during the merge that it had no effect', async () => {
    const held = await heldPreCommit();
    const { id } = await readyRun();
    const files = runFiles(project.files.run(id));
    const approving = project.dureJson(['approve', id]);
    await held.begun();
    const deciding = Promise.all([
      project.spawnDure(['reject', id, '--json', '--feedback', 'Say goodbye as well']),
      project.spawnDure(['stop', id, '--json']),
    ]);
    const isWritten = () => existsSync(files.request('stop')) && existsSync(files.feedbackOf(1));
    await expect.poll(isWritten).toBe(true);
    await held.release();
    const late = await deciding;
    expect(await approving).toMatchObject({ code: 0, json: { phase: 'completed' } });
    const refused = { code: 4, stdout: expect.stringContaining('E_TOO_LATE') };
    expect(late).toMatchObject([refused, refused]);
  });

  it('is reported as still waiting for its merge if the merge takes a long time', async () => {
    const held = await heldPreCommit();
    const { id } = await readyRun();
    const { child, said } = spawnApprove(id);
    const closed = once(child, 'close');
    await expect.poll(said).toContain('Still waiting for the merge.');
    expect(said()).toContain(`dure status ${id}`);
    await held.release();
    expect(await closed).toEqual([0, null]);
  });

  it('is merged, and git refuses a commit that the user attempts while the pre-commit hook runs', async () => {
    const held = await heldPreCommit();
    const { id, tree } = await readyRun();
    await project.write('mine.txt', 'mine\n');
    await project.git('add', 'mine.txt');
    const approving = project.dureJson(['approve', id]);
    await held.begun();
    for (const command of [
      ['commit', '-qm', 'my own file', '--no-verify'],
      ['checkout', '-q', '--detach'],
    ])
      await expect(project.git(...command)).rejects.toThrow(/index\.lock': File exists/);
    await held.release();
    expect(await approving).toMatchObject({ code: 0, json: { merged: true, into: 'main' } });
    expect((await project.git('rev-parse', 'main^{tree}')).trim()).toBe(tree);
    await project.git('commit', '-qm', 'my own file', '--no-verify');
    expect((await project.git('diff', '--name-only', 'HEAD^', 'HEAD')).trim()).toBe('mine.txt');
  });

  it('is merged even if Ctrl-C interrupts `dure approve`, which says that the merge continues', async () => {
    const held = await heldPreCommit();
    const { id } = await readyRun();
    const { child, said } = spawnApprove(id);
    await held.begun();
    child.kill('SIGINT');
    const [code] = await once(child, 'close');
    expect(code).toBe(130);
    expect(said()).toContain(`The approval of ${id} is recorded; the merge continues`);
    await held.release();
    const files = runFiles(project.files.run(id));
    await expect.poll(async () => (await readState(files))?.phase).toBe('completed');
  });

  it('continues if the command that follows it is interrupted with Ctrl-C', async () => {
    // The Builder works until the command has ended.
    const go = join(project.parentFolder, 'go');
    const held = { sh: `until [ -e '${go}' ]; do sleep 0.1; done` };
    const tape = join(project.parentFolder, 'held.cassette.json');
    await writeFile(tape, JSON.stringify(cassette({ builder: [[held, ...builds('hello\n')]] })));
    const child = spawn(process.execPath, [bin, ...SMALL, '--cassette', tape], {
      cwd: project.root,
      env: project.env as NodeJS.ProcessEnv,
    });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', text => {
      said += text;
      // A second Ctrl-C would end the command immediately.
      if (!child.killed && said.includes('Refiner started')) child.kill('SIGINT');
    });
    const [code] = await once(child, 'close');
    expect(code).toBe(130);
    await writeFile(go, '');
    const id = /run-\d{8}-\d{6}/.exec(said)![0];
    expect(said).toContain(`dure watch ${id}`);
    const watched = await project.dure(['watch', id]);
    expect(watched.code).toBe(0);
    expect(watched.stdout).toContain(`dure approve ${id} --tree`);
  });

  it.each([
    ['a missing cassette', null, 'E_FILE_MISSING'],
    ['an invalid cassette', '{ "title": 7 }', 'E_FILE_INVALID'],
  ])('is not created with %s', async (_, text, code) => {
    const cassette = join(project.parentFolder, 'some.json');
    if (text !== null) await writeFile(cassette, text);
    const { json, code: exit } = await project.dureJson([...SMALL, '--cassette', cassette, '--detach']);
    expect(exit).toBe(1);
    expect(json.error).toMatchObject({ code, message: expect.stringContaining(cassette) });
    expect((await project.dureJson(['history'])).json).toMatchObject({ runs: [] });
  });

  it('reports uncommitted changes, and includes them with --include-changes', async () => {
    await project.write('src/titles.js', `${demoProject['src/titles.js']}// a note\n`);
    const { json } = await project.dureJson([...SMALL, '--detach']);
    expect(json['not_included']).toEqual(['src/titles.js']);
    await project.dure(['stop', String(json['run_id'])]);
    const taken = await project.dureJson([...SMALL, '--detach', '--include-changes']);
    expect(taken.json['not_included']).toEqual([]);
    const base = String((await project.dureJson(['status'])).json['base']);
    expect(await project.git('show', `${base}:src/titles.js`)).toContain('// a note');
    await project.dure(['stop', String(taken.json['run_id'])]);
  });

  it.each<[since: string, act: () => Promise<unknown>]>([
    ['now stashed', () => project.git('stash', '-q', '--include-untracked', '--', ':/!.dure')],
    ['still partly staged', async () => {}],
  ])('merges a result that includes changes that are %s', async (_, act) => {
    await project.write('src/titles.js', `${demoProject['src/titles.js']}// staged\n`);
    await project.write('new.txt', 'staged\n');
    await project.git('add', 'src/titles.js', 'new.txt');
    await project.write('src/titles.js', `${demoProject['src/titles.js']}// a note\n`);
    await project.write('new.txt', 'staged and more\n');
    const { json } = await project.dureJson([...SMALL, '--include-changes']);
    expect(json).toMatchObject({ phase: 'ready_for_merge' });
    const before = await project.git('status', '--porcelain', '--', '.', ':!.dure');
    expect(before).toContain('MM src/titles.js');
    expect(before).toContain('AM new.txt');
    await act();
    const approved = await project.dure(['approve', String(json['run_id'])]);
    expect(approved).toMatchObject({ code: 0, stdout: expect.stringContaining('main') });
    expect(await project.git('status', '--porcelain', '--', '.', ':!.dure')).toBe('');
    expect(await project.git('rev-parse', 'HEAD^{tree}')).toContain(json['tree']);
    expect(await project.git('show', 'HEAD:new.txt')).toContain('and more');
  });
});

describe('dure demo', () => {
  it('takes a sample project from briefing to merge, and says that it is a rehearsal', async () => {
    const dir = join(project.parentFolder, 'sample');
    const { code, stdout, stderr } = await project.dure(['demo', '--yes', '--keep', dir], {
      cwd: project.parentFolder,
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('This is a rehearsal');
    expect(stdout).toContain('Tests failed: 1 of 12');
    expect(stdout).toContain('Tests passed: 12 of 12');
    expect(stdout).toContain('Merged. That was a rehearsal.');
    expect(await readFile(join(dir, 'src/slugify.js'), 'utf8')).toContain('slugify');
    const again = await project.dureJson(['demo', '--yes', '--keep', dir], { cwd: project.parentFolder });
    expect(again).toMatchObject({ code: 2, json: { error: { code: 'E_FOLDER_FULL' } } });
  });

  it('prints one JSON value with --json', async () => {
    const { code, json } = await project.dureJson([
      'demo',
      '--yes',
      '--keep',
      join(project.parentFolder, 'sample'),
    ]);
    expect(code).toBe(0);
    expect(json).toMatchObject({ ok: true, rehearsal: true, phase: 'completed', tests: { machine: 'pass' } });
  });
});
