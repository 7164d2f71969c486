/** `workspace.setup` is a launch like any other: shown, stopped, adopted, and never run twice at once. */
import { execFileSync } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { requestStop } from '../../src/core/run/requests/write-requests.ts';
import { driveRun } from '../../src/daemon/drive-run.ts';
import { cassette } from './agent-moves.ts';
import { scratchProject, type TestRun } from './scratch-project.ts';

const prepared = (setup: string) => scratchProject({ config: { global: { workspace: { setup } } } });
/** Returns what the command wrote to the worktree, once it exists. */
const left = async ({ files }: TestRun, name: string): Promise<string> => {
  let text = '';
  await expect
    .poll(async () => {
      text = await readFile(join(files.worktree, name), 'utf8').catch(() => '');
      return text;
    }, WAIT)
    .not.toBe('');
  return text;
};
/** A sandbox has its own process ids; from outside, a process is identified by its command line. */
async function isRunning(commandLine: string): Promise<boolean> {
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name));
  const lines = await Promise.all(pids.map(pid => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
  return lines.includes(commandLine);
}
const WAIT = { interval: 50 };

test('the set-up prepares the worktree once, before any agent starts, regardless of the number of builds', async () => {
  const { start } = await prepared('echo made ready; echo prepared >> prepared.txt');
  const run = await start(cassette());
  expect((await run.drive()).phase).toBe('ready_for_merge');
  expect(await run.eventTypes('workspace.prepared', 'agent.completed')).toEqual([
    'workspace.prepared',
    'agent.completed refine',
    'agent.completed build',
    'agent.completed generate',
    'agent.completed analyse',
    'agent.completed gate',
  ]);
  expect(await readFile(join(run.files.worktree, 'prepared.txt'), 'utf8')).toBe('prepared\n');
  expect(await run.eventTypes('agent.failed')).toEqual([]);
  const checked = execFileSync('sh', [join(run.files.mrp, 'check.sh')], { encoding: 'utf8' });
  expect(checked).toContain('ok 10 - greets');
});

test("the set-up's changes to tracked files are reverted, and its new files are not part of the result", async () => {
  const { start } = await prepared(
    'echo changed >> README.md; echo left > "a [b] *.txt"; mkdir made; touch made/x',
  );
  const run = await start(cassette());
  const end = await run.drive();
  expect(end.phase).toBe('ready_for_merge');
  expect(await run.eventTypes('agent.failed')).toEqual([]);
  const evidence = JSON.parse(await readFile(run.files.evidence, 'utf8')) as { changes: { path: string }[] };
  const text = JSON.stringify(evidence);
  expect(text).not.toMatch(/README|a \[b\]|made\/x/);
  expect(await readdir(run.files.worktree)).toEqual(expect.arrayContaining(['a [b] *.txt', 'made']));
});

test('a set-up that fails leads to a question with its output, and is retried on request', async () => {
  const { start } = await prepared('echo the reason; echo more >&2; test -e ../prepared || exit 7');
  const run = await start(cassette());
  const asking = await run.drive();
  expect(asking.waiting?.why).toBe('setup');
  expect(asking.problem).toMatch(/^workspace\.setup \(echo the reason.*exit code 7\n/);
  expect(asking.problem).toContain('the reason');
  expect(asking.problem).toContain('more');
  const failed = async () => (await run.events()).flatMap(e => (e.type === 'agent.failed' ? [e.kind] : []));
  expect(await failed()).toEqual(['crash']);
  await run.answer('setup');
  expect((await run.drive()).waiting?.crp).toBe('crp-002');
});

test('a build that fails on base is left out of the set-up, and the pack begins by saying so', async () => {
  const { start } = await prepared('printenv HUSKY && touch ready.txt && npm run build');
  const run = await start(cassette());
  const end = await run.drive();
  expect(end).toMatchObject({
    phase: 'ready_for_merge',
    setup: { prepare: 'printenv HUSKY && touch ready.txt', failed_builds: ['npm run build'] },
  });
  expect(await readFile(run.files.summary, 'utf8')).toMatch(
    /^# .*\n\n\*\*Warning: part of the set-up fails on base: `npm run build`\.\*\*/,
  );
  expect(execFileSync('sh', [join(run.files.mrp, 'check.sh')], { encoding: 'utf8' })).toContain('ok 10');
});

test('unavailable requirements are named in the log of the set-up and at the top of the pack', async () => {
  const pip = '.venv/bin/python -m pip install';
  const { start } = await prepared(`python3 -m venv .venv && ${pip} dure-no-such-package==1`);
  // Nobody listens there, so that pip neither uses the network nor waits for it.
  const offline = { PIP_INDEX_URL: 'http://127.0.0.1:9/simple', PIP_RETRIES: '0' };
  const run = await start(cassette(), { shell: { ...process.env, ...offline } });
  const end = await run.drive();
  expect(end).toMatchObject({
    phase: 'ready_for_merge',
    setup: { missing_requirements: ['dure-no-such-package==1'] },
  });
  const names = await readdir(run.files.logs);
  const logs = await Promise.all(names.map(name => readFile(join(run.files.logs, name), 'utf8')));
  expect(logs.join('\n')).toContain('Not available: dure-no-such-package==1');
  expect(await readFile(run.files.summary, 'utf8')).toMatch(
    /^# .*\n\n\*\*Warning: the set-up could not install `dure-no-such-package==1`\.\*\*/,
  );
});

test('after the set-up failed, the run uses the set-up command that the user corrected', async () => {
  const { start, project } = await prepared('echo no such tool; exit 127');
  const config = project.configOf('global');
  const run = await start(cassette());
  expect((await run.drive()).waiting?.why).toBe('setup');
  const crp = JSON.parse(await readFile(run.files.crp('crp-001'), 'utf8'));
  expect(crp.options[0]).toMatchObject({
    id: 'setup',
    description: expect.stringContaining('dure config set workspace.setup'),
  });
  await writeFile(config, JSON.stringify({ workspace: { setup: 'echo now it works' } }));
  await run.answer('setup');
  const end = await run.drive();
  expect(end).toMatchObject({ phase: 'ready_for_merge', setup: { prepare: 'echo now it works' } });
  expect(execFileSync('sh', [join(run.files.mrp, 'check.sh')], { encoding: 'utf8' })).toContain('ok 10');
});

test('a stop kills the set-up and all its processes', async () => {
  const seconds = `600.${process.pid}`;
  const { start } = await prepared(`sleep ${seconds} & echo begun > begun; wait`);
  const run = await start(cassette());
  const over = run.drive();
  await left(run, 'begun');
  await expect.poll(() => isRunning(`sleep\0${seconds}\0`), WAIT).toBe(true);
  await requestStop(run.files, await run.state(), 'enough');
  expect((await over).phase).toBe('stopped');
  await expect.poll(() => isRunning(`sleep\0${seconds}\0`), WAIT).toBe(false);
});

test('the set-up continues without the driver, and the next driver adopts it', async () => {
  const { start, project, plugins } = await prepared(
    'echo begun >> begun; while [ -f .git ] && [ ! -e go ]; do sleep 0.1; done; echo ended >> begun',
  );
  const run = await start(cassette());
  const gone = new AbortController();
  const first = driveRun(project, run.files, plugins, { signal: gone.signal, untilIdle: true });
  await left(run, 'begun');
  gone.abort();
  await first;
  const again = run.drive();
  await expect.poll(async () => (await run.events()).map(e => e.type), WAIT).toContain('run.resumed');
  await writeFile(join(run.files.worktree, 'go'), '');
  expect((await again).phase).toBe('ready_for_merge');
  expect(await readFile(join(run.files.worktree, 'begun'), 'utf8')).toBe('begun\nended\n');
});
